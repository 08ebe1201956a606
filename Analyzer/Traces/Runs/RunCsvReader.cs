using CsvHelper;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Runs;

/// <summary>
/// Reads the run CSV that <see cref="RunCsv"/> writes. Columns are found by name, so that other versions' files can be read.
/// </summary>
public static class RunCsvReader
{
    private const int MaxProblems = 20;

    /// <summary>Reads a file. A last line without its line end was cut off while it was written: it is left out and reported.</summary>
    /// <exception cref="TraceFormatException">The file is empty or lacks a column that names runs.</exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static RunCsvContent Read(string path)
    {
        using var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        return Read(path, stream, EndsWithLineEnd(stream));
    }

    private static bool EndsWithLineEnd(FileStream stream)
    {
        if (stream.Length == 0)
            return true;
        stream.Seek(-1, SeekOrigin.End);
        var last = stream.ReadByte();
        stream.Seek(0, SeekOrigin.Begin);
        return last == '\n';
    }

    private static RunCsvContent Read(string path, Stream stream, bool lastLineIsWhole)
    {
        var rows = new List<RunCsvRow>();
        var leftOut = new List<LeftOutSerializer>();
        var problems = new List<string>();
        try
        {
            using var csv = CsvReader.Create(
                stream,
                CsvReaderOptions.Default with
                {
                    Separator = ',',
                    MaxRecordSize = 1 << 20,
                },
                leaveOpen: true
            );
            csv.ReadHeader();
            foreach (var column in (ReadOnlySpan<string>)["pid", "run_id", "serializer", "operation"])
            {
                if (!csv.TryGetFieldIndex(column, out _))
                    throw new TraceFormatException(
                        path,
                        0,
                        $"a column '{column}'",
                        "this is not a run CSV of esp-workload",
                        "name the runs.csv that the benchmark wrote, or only the trace files"
                    );
            }

            ReadRows(path, csv, lastLineIsWhole, rows, leftOut, problems);
        }
        catch (CsvFormatException exception)
        {
            problems.Add($"{path}: unreadable after row {rows.Count + 1}: {exception.Message.Split('\n')[0].Trim()}");
        }

        return new RunCsvContent(rows, leftOut, problems);
    }

    private static void ReadRows(
        string path,
        CsvReader csv,
        bool lastLineIsWhole,
        List<RunCsvRow> rows,
        List<LeftOutSerializer> leftOut,
        List<string> problems
    )
    {
        var fields = new Fields(csv);
        var line = 1;
        var pending = csv.Read();
        while (pending)
        {
            line++;
            fields.Begin();
            var without =
                fields.Text("kind") == RunCsv.LeftOutKind ? new LeftOutSerializer(fields.Text("serializer"), fields.Text("error")) : null;
            var row = without is null ? ReadRow(fields) : null;
            pending = csv.Read();
            if (!pending && !lastLineIsWhole)
                problems.Add($"{path}: row {line} is cut off and was skipped");
            else if (fields.Wrong is { } wrong)
                AddProblem(problems, $"{path}: row {line} was skipped: column '{wrong}' is missing or not a number");
            else if (row is not null)
                rows.Add(row);
            else if (without is not null)
                leftOut.Add(without);
        }
    }

    private static void AddProblem(List<string> problems, string problem)
    {
        if (problems.Count < MaxProblems)
            problems.Add(problem);
        else if (problems.Count == MaxProblems)
            problems.Add("more rows were skipped");
    }

    private static RunCsvRow ReadRow(Fields fields)
    {
        var identity = new RunIdentity(
            fields.Text("serializer"),
            fields.Text("library"),
            fields.Text("library_version"),
            fields.Text("operation"),
            fields.Kind("kind"),
            fields.Int("objects", 0),
            fields.Int("payload_bytes", 0),
            fields.Int("run", 1),
            fields.Int("threads", 1)
        );
        var measurement = new RunMeasurement(
            fields.Long("start_ticks", 0),
            fields.Long("stop_ticks", 0),
            fields.Long("ticks_per_second", 0),
            fields.Long("thread_cpu_ns", -1),
            fields.Long("allocated_bytes", -1),
            fields.Int("gen0", -1),
            fields.Int("gen1", -1),
            fields.Int("gen2", -1),
            fields.Long("data_bytes", -1),
            fields.Text("error")
        )
        {
            LaunchedTicks = fields.Long("launched_ticks", -1),
            ProbeBeforeNanoseconds = fields.Long("probe_before_ns", SpeedProbe.NotRead),
            ProbeAfterNanoseconds = fields.Long("probe_after_ns", SpeedProbe.NotRead),
            PeakWorkingSetBytes = fields.Long("peak_working_set_bytes", RunMeasurement.Unknown),
            ProgramBytes = fields.Long("program_bytes", RunMeasurement.Unknown),
            UnsettledMethods = fields.Long("unsettled_methods", RunMeasurement.Unknown),
        };
        return new RunCsvRow(
            fields.Int("pid", null),
            fields.Int("run_id", null),
            fields.Int("planned_runs", 0),
            identity,
            measurement,
            fields.Text("runtime")
        );
    }

    /// <summary>The fields of the reader's current row, by column name.</summary>
    private sealed class Fields(CsvReader csv)
    {
        /// <summary>Name of the first column that could not be read in this row.</summary>
        public string? Wrong { get; private set; }

        public void Begin() => Wrong = null;

        public string Text(string column) => TryFind(column, out var index) ? csv.GetString(index) : "";

        public int Int(string column, int? absent)
        {
            var value = Long(column, absent);
            if (value is >= int.MinValue and <= int.MaxValue)
                return (int)value;
            Wrong ??= column;
            return 0;
        }

        public long Long(string column, long? absent)
        {
            if (!csv.TryGetFieldIndex(column, out var index) && absent is { } value)
                return value;
            if (index < csv.FieldCount && csv.TryParse<long>(index, out value))
                return value;
            Wrong ??= column;
            return 0;
        }

        public RunKind Kind(string column)
        {
            if (!csv.TryGetFieldIndex(column, out var index))
                return RunKind.Measured;
            if (index < csv.FieldCount && Enum.TryParse<RunKind>(csv.GetString(index), out var kind) && Enum.IsDefined(kind))
                return kind;
            Wrong ??= column;
            return RunKind.Measured;
        }

        private bool TryFind(string column, out int index) => csv.TryGetFieldIndex(column, out index) && index < csv.FieldCount;
    }
}
