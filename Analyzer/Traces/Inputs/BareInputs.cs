using EtwSerializerProfiler.Traces.JitDumps;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Universal;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>Opens trace files and run CSVs without a recording. Those of one process belong together.</summary>
internal sealed class BareInputs(InputParts parts)
{
    /// <summary>
    /// Maximum number of processes from a bare perf.data file (each needs its own passes), and the minimum share of samples relative to the
    /// first one.
    /// </summary>
    private const int MaxPerfProcesses = 4;

    private const double MinShare = 0.1;

    private readonly List<NetTraceSource> _sources = [];

    /// <summary>Files of an ETW trace; several of them form one trace.</summary>
    private readonly List<string> _etwFiles = [];

    private readonly List<string> _perfFiles = [];

    private readonly List<RunCsvRow> _rows = [];

    /// <summary>Skipped serializers, from the run CSVs.</summary>
    public List<LeftOutSerializer> LeftOut { get; } = [];

    /// <summary>Opens a file, or keeps it for <see cref="AddProcesses"/>.</summary>
    public void Add(string path)
    {
        if (path.EndsWith(".csv", StringComparison.OrdinalIgnoreCase))
        {
            var content = parts.ReadCsv(path);
            _rows.AddRange(content.Rows);
            LeftOut.AddRange(content.LeftOut);
        }
        else if (TraceInputReader.IsWindowsTrace(path))
            _etwFiles.Add(path);
        else if (PerfDataReader.IsPerfData(path))
            _perfFiles.Add(path);
        else
            AddNetTrace(NetTraceLayout.Scan(path));
    }

    /// <summary>Adds the processes of all files.</summary>
    /// <param name="native">perf.data files of recordings without a .NET process.</param>
    public void AddProcesses(IEnumerable<string> native)
    {
        _perfFiles.InsertRange(0, native);
        parts.AddEtwTrace(_etwFiles, _rows);
        AddPerfProcesses();
        AddBareProcesses();
    }

    private void AddNetTrace(NetTraceLayout layout)
    {
        if (UniversalTrace.IsIn(layout))
        {
            AddMachineTrace(UniversalTrace.Open(layout));
            return;
        }

        _sources.Add(NetTraceSource.Open(layout));
        parts.Files.Add(layout.Path);
    }

    /// <summary>Adds a .nettrace file of a whole machine; each of its .NET processes becomes a process of the input.</summary>
    private void AddMachineTrace(UniversalTrace trace)
    {
        parts.Files.Add(trace.Layout.Path);
        if (trace.Sources.Count == 0)
            throw new TraceFormatException(
                trace.Layout.Path,
                null,
                "CPU samples or events of a runtime",
                "the trace has none",
                "see its events with 'esp-analyze stats'"
            );
        parts.Problems.AddRange(trace.Problems.Select(parts.Labelled));
        foreach (var source in trace.Sources)
            parts.Processes.Add(
                new TracedProcess(
                    source.ProcessId,
                    source.Program,
                    source.RuntimeVersion,
                    [source],
                    [.. _rows.Where(row => row.ProcessId == source.ProcessId)]
                )
            );
    }

    /// <summary>
    /// Adds the processes with most CPU samples of a bare perf.data file. Beside EventPipe files, it belongs to their processes.
    /// </summary>
    private void AddPerfProcesses()
    {
        foreach (var path in _perfFiles)
        {
            parts.Try(
                path,
                () =>
                {
                    parts.Files.Add(path);
                    if (_sources.Count > 0)
                        return;
                    var sampled = PerfDataProcesses.Read(path).Where(process => process is { ProcessId: > 0, Samples: > 0 }).ToList();
                    if (sampled.Count == 0)
                        throw new TraceFormatException(
                            path,
                            null,
                            "CPU samples of a process",
                            "the file has none",
                            "record with esp-record, or with perf record -e cpu-clock"
                        );
                    var chosen = sampled.Where(process => process.Samples >= sampled[0].Samples * MinShare).Take(MaxPerfProcesses).ToList();
                    foreach (var (index, process) in chosen.Index())
                    {
                        var records = parts.PerfData(path, process.ProcessId, index == 0, [], isAlone: true);
                        var names = JitNames.Find(records, parts.Problems);
                        if (names is not null && names.Name != path)
                            parts.Files.Add(names.Name);
                        var name =
                            process.Name is "dotnet" or "" && names?.Program is { Length: > 0 } program ? program
                            : process.Name.Length > 0 ? process.Name
                            : Path.GetFileNameWithoutExtension(path);
                        parts.Processes.Add(
                            new TracedProcess(
                                process.ProcessId,
                                name,
                                "",
                                names is null ? [records] : [records, names],
                                [.. _rows.Where(row => row.ProcessId == process.ProcessId)]
                            )
                        );
                    }
                }
            );
        }
    }

    /// <summary>Bare files belong together if they were recorded in one process.</summary>
    private void AddBareProcesses()
    {
        foreach (var group in _sources.GroupBy(source => source.ProcessId))
        {
            var sources = new List<ITraceSource>(group);
            var program =
                group.Select(source => ProgramName.Of(source.CommandLine)).FirstOrDefault(name => name.Length > 0)
                ?? Path.GetFileNameWithoutExtension(group.First().Name);
            var runtime = group.Select(source => source.RuntimeVersion).FirstOrDefault(version => version.Length > 0) ?? "";
            foreach (var path in _perfFiles)
            {
                var reportsLosses = ReferenceEquals(group.First(), _sources[0]);
                parts.Try(path, () => sources.Add(parts.PerfData(path, group.Key, reportsLosses, sources)));
            }

            InputParts.JoinClocks(sources);
            parts.Processes.Add(
                new TracedProcess(group.Key, program, runtime, sources, [.. _rows.Where(row => row.ProcessId == group.Key)])
            );
        }

        parts.AddRowsWithoutTrace(_rows, "", static (_, _) => { });
    }
}
