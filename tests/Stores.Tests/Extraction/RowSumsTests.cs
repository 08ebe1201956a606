using EtwSerializerProfiler.Etl.Tests;
using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Rows;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Stores.Tests.Extraction;

/// <summary>The rows of a trace add up to the numbers of its runs.</summary>
public sealed class RowSumsTests
{
    private static readonly ExtractOptions s_all = new();

    [Theory]
    [InlineData("net10")]
    [InlineData("unmarked/program.nettrace")]
    public void Rows_of_committed_traces_add_up(string path) => Check(TestFiles.Data(path));

    [Theory]
    [InlineData("net.4.5.2.x64.etl.zip")]
    [InlineData("diaghub-dotnetcore3.1-win-x64-diagsession.zip")]
    [InlineData("gcevents.etl.zip")]
    [NeedsRealTraces]
    public void Rows_of_real_Windows_traces_add_up(string name) => Check(RealTraces.Get(name));

    [Fact]
    public void Rows_of_a_made_Windows_trace_add_up()
    {
        using var folder = new TempFolder();
        var path = Path.Combine(folder.Path, "suite.etl");
        SerializerTestsEtl.Write(path);
        Check(path);
    }

    [Fact]
    public void Rows_of_an_index_of_recordings_add_up()
    {
        using var folder = new TraceFolder();
        Directory.CreateDirectory(folder.Path("index"));
        File.WriteAllText(
            folder.Path("index/index.json"),
            """
            {"schema":1,"toolVersion":"1","startedUtc":"2026-11-21T00:00:00Z","recordings":[{"folder":"one","label":"a"},{"folder":"two","label":"b"}],"problems":["c: it could not be recorded"]}
            """
        );
        folder.AddRecording("index/one", 1);
        folder.AddRecording("index/two", 2);

        Check(folder.Path("index"));

        var rows = Rows(TraceExtractor.Read(folder.Path("index"), s_all));
        Assert.Equal(["a", "b"], rows.Of(EnvironmentTable.Table).Select(row => row[EnvironmentTable.Table.IndexOf("label")]));
        Assert.Equal(["a", "b"], rows.Of(ProcessTable.Table).Select(row => row[ProcessTable.Table.IndexOf("label")]));
        Assert.Contains(rows.Of(LossTable.Table), row => Equals(row[LossTable.Table.IndexOf("text")], "c: it could not be recorded"));
        Assert.Equal(Rows(TraceExtractor.Read(TestFiles.Recording, s_all)).Trace.RunsFound * 2, rows.Trace.RunsFound);
    }

    [Fact]
    public void The_row_of_the_trace_says_what_was_recorded()
    {
        var rows = Rows(TraceExtractor.Read(TestFiles.Recording, s_all));
        var recording = RecordingFile.Read(TestFiles.Recording);

        Assert.Equal(StoredTrace.Extracted, rows.Trace.Status);
        Assert.Equal(
            recording.StartedUtc.ToString("yyyy-MM-dd HH:mm:ss", System.Globalization.CultureInfo.InvariantCulture),
            rows.Trace.RecordedUtc
        );
        Assert.Equal(recording.DurationMs, rows.Trace.DurationMs);
        Assert.Equal(recording.Host.MachineName, rows.Trace.Machine);
        Assert.Equal(MachineClass.Of(recording.Host), rows.Trace.MachineClass);
        Assert.DoesNotContain("kernel", rows.Trace.MachineClass, StringComparison.Ordinal);
        Assert.StartsWith(".NET 10", rows.Trace.Runtime, StringComparison.Ordinal);
        Assert.Equal((null, null), (rows.Trace.Branch, rows.Trace.Commit));
        Assert.Equal("19", $"{rows.Trace.RunsFound}");
    }

    private static void Check(string path)
    {
        var trace = TraceExtractor.Read(path, s_all);
        var rows = Rows(trace);
        var result = trace.Result;
        Assert.NotEmpty(result.Runs);
        Assert.Equal(result.Runs.Count, rows.Of(RunTable.Table).Count);
        Assert.Equal(result.Processes.Count, rows.Of(ProcessTable.Table).Count);
        Assert.Equal(result.Rows.Count + result.FirstUseRows.Count, rows.Of(ResultTable.Table).Count);
        Assert.Equal(result.Findings.Count, rows.Of(FindingTable.Table).Count);
        Assert.All(StoreSchema.Tables, table => Assert.All(rows.Of(table), row => Assert.Equal("0123456789abcdef", row[0])));
        foreach (var (process, run) in trace.Runs)
        {
            var (causes, methods, gcs) = (Of(CauseTable.Table), Of(MethodTable.Table), Of(GcTable.Table));
            Assert.Equal(run.Samples is null || run.Causes is null ? 0 : run.Samples.CpuMs, Sum(CauseTable.Table, causes, "cpu_ms"), 1e-6);
            Assert.Equal(
                run.Causes is { } times ? times.ToMilliseconds(times.Serializer) : 0,
                Sum(MethodTable.Table, methods, "cpu_ms"),
                1e-6
            );
            if (trace.Read.Gcs is null)
                continue;
            foreach (
                var (generation, count) in (ReadOnlySpan<(long, long)>)
                    [(0, run.Gcs!.Value.Gen0), (1, run.Gcs.Value.Gen1), (2, run.Gcs.Value.Gen2)]
            )
                Assert.Equal(
                    count,
                    Sum(GcTable.Table, [.. gcs.Where(row => (long)row[GcTable.Table.IndexOf("generation")]! == generation)], "collections")
                );

            IReadOnlyList<object?[]> Of(StoreTable table) =>
                [
                    .. rows.Of(table)
                        .Where(row =>
                            Equals(row[table.IndexOf("process")], (long)process) && Equals(row[table.IndexOf("run")], (long)run.RunId)
                        ),
                ];
        }

        Same(trace.Read.Allocations?.Bytes ?? 0, AllocationTable.Table, "estimated_bytes");
        Same(trace.Read.Exceptions?.Sum(row => row.Count) ?? 0, ExceptionTable.Table, "thrown");
        Same(trace.Read.Locks?.AllRows.Sum(row => row.Count) ?? 0, LockTable.Table, "waits");
        Same(trace.Read.Compilations?.Sum(row => row.Count) ?? 0, JitTable.Table, "compilations");

        // Event rows are those of the measured runs that did not fail; their sums are the runs' own numbers.
        var counted = result.MeasuredRuns.Where(run => run.Error.Length == 0).ToList();
        if (trace.Read.Compilations is not null)
            Same(counted.Sum(run => run.JitMethods ?? 0), JitTable.Table, "compilations");
        if (trace.Read.Exceptions is not null)
            Same(counted.Sum(run => run.Exceptions ?? 0), ExceptionTable.Table, "thrown");
        if (trace.Read.Locks is not null)
            Same(counted.Sum(run => run.Contentions ?? 0), LockTable.Table, "waits");

        void Same(double expected, StoreTable table, string column) =>
            Assert.Equal(expected, Sum(table, rows.Of(table), column), 1e-6 * Math.Max(1, Math.Abs(expected)));
    }

    [Theory]
    [InlineData(0, 50)]
    [InlineData(400, 50)]
    [InlineData(1000, 20)]
    [InlineData(1_000_000, 3)]
    public void Methods_of_a_run_get_fewer_with_more_runs(int runs, int top) => Assert.Equal(top, MethodRows.TopOf(runs));

    [Fact]
    public void GCs_beyond_the_limit_are_summed_by_run_and_generation()
    {
        var trace = TraceExtractor.Read(TestFiles.Recording, s_all);
        var all = trace.Read.Gcs!.AllRows;
        Assert.True(all.Count > 20, "the recording has too few GCs");

        var rows = GcRows.Of(trace, all, max: 7).ToList();

        Assert.Equal(7, rows.Count(row => row.Number is not null));
        Assert.Equal(all.Max(row => row.PauseMs), rows.Max(row => row.Number is null ? 0 : row.PauseMs));
        Assert.All(rows.Where(row => row.Number is null), row => Assert.Null(row.StartMs));
        Assert.Equal(all.Count, rows.Sum(row => row.Gcs));
        Assert.Equal(all.Sum(row => row.PauseMs), rows.Sum(row => row.PauseMs), 1e-6);
        Assert.Equal(all.Sum(row => row.PauseInRunsMs), rows.Sum(row => row.PauseInRunsMs), 1e-6);
        foreach (var group in all.GroupBy(row => (row.Run?.RunId, row.Generation)))
            Assert.Equal(group.Count(), rows.Where(row => (row.RunId, row.Generation) == group.Key).Sum(row => row.Gcs));
    }

    [Fact]
    public void Rows_beyond_the_limit_are_summed_for_each_row_of_runs()
    {
        var rows = Enumerable
            .Range(0, TopRows.MaxRows + 1)
            .Select(index => (Key: index % 10, Value: (double)index))
            .OrderByDescending(row => row.Value)
            .ToList();

        var cut = TopRows.Cut(rows, row => row.Key, rest => (rest[0].Key, rest.Sum(row => row.Value))).ToList();

        Assert.InRange(cut.Count, 10, TopRows.MaxRows);
        foreach (var group in rows.GroupBy(row => row.Key))
            Assert.Equal(group.Sum(row => row.Value), cut.Where(row => row.Key == group.Key).Sum(row => row.Value), 1e-3);
    }

    [Fact]
    public void Only_what_is_asked_for_has_rows()
    {
        var options = new ExtractOptions { Tables = ExtractOptions.TablesOf(["GC", "runs", "trace"]) };
        Assert.Equal("run,gc", options.Tables);

        var rows = TraceExtractor.Extract(
            new TraceUnit(TestFiles.Recording, TraceFormat.Recording),
            new TraceContent(new string('a', 64), 1),
            options
        );

        Assert.Equal("run,gc", rows.Trace.Tables);
        Assert.Equal(
            ["trace", "environment", "process", "run", "gc", "loss"],
            StoreSchema.Tables.Where(table => rows.Of(table).Count > 0).Select(table => table.Name)
        );
    }

    [Fact]
    public void The_trace_says_what_it_lacks()
    {
        var rows = Rows(TraceExtractor.Read(TestFiles.Unmarked, s_all));

        Assert.Contains(rows.Of(LossTable.Table), row => Equals(row[LossTable.Table.IndexOf("kind")], "not-recorded"));
        Assert.Equal(
            Enumerable.Range(1, rows.Of(LossTable.Table).Count),
            rows.Of(LossTable.Table).Select(row => (int)(long)row[LossTable.Table.IndexOf("number")]!)
        );
    }

    [Theory]
    [InlineData("", "", true)]
    [InlineData("", "run,gc", true)]
    [InlineData("run,gc", "gc", true)]
    [InlineData("run,gc", "trace", true)]
    [InlineData("run,gc", "", false)]
    [InlineData("run,gc", "gc,jit", false)]
    public void An_extract_covers_what_it_holds(string stored, string wanted, bool covers) =>
        Assert.Equal(covers, ExtractOptions.Covers(stored, wanted));

    private static TraceRows Rows(ExtractedTrace trace) =>
        RowBuilder.Build(
            trace,
            new StoredTrace
            {
                Trace = "0123456789abcdef",
                ContentHash = "0123456789abcdef",
                Name = "/t",
                Status = StoredTrace.Extracted,
                Format = "recording",
                Bytes = 1,
            },
            s_all
        );

    private static double Sum(StoreTable table, IReadOnlyList<object?[]> rows, string column) =>
        rows.Sum(row => Convert.ToDouble(row[table.IndexOf(column)], System.Globalization.CultureInfo.InvariantCulture));
}
