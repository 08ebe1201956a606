using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.Jit;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>Event reports of some processes.</summary>
internal sealed class EventTables
{
    private readonly IReadOnlyList<TracedProcess> _processes;
    private readonly EventQuery _query;
    private readonly SymbolFiles _files = new("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero);

    public EventTables(IReadOnlyList<TracedProcess> processes, EventQuery? query = null)
    {
        _processes = processes;
        _query = query ?? new EventQuery(new RunFilter(), null);
        Result = RunAnalysis.Run(processes, []);
    }

    public EventTables(params SyntheticTrace[] traces)
        : this(null, traces) { }

    public EventTables(EventQuery? query, params SyntheticTrace[] traces)
        : this([.. traces.Select(trace => new TracedProcess(trace.ProcessId, "program", ".NET 10.0", [trace], []))], query) { }

    public AnalysisResult Result { get; }

    public ExceptionResult Exceptions => ExceptionAnalysis.Run(_processes, Result.Runs, _query, _files);

    public LockResult Locks => LockAnalysis.Run(_processes, Result.Runs, _query, _files);

    public EventResult<JitRow> Jit => JitAnalysis.Run(_processes, Result.Runs, _query, _files);

    public WaitResult Waits => WaitsBy(WaitGrouping.Method);

    public WaitResult WaitsBy(WaitGrouping grouping) => WaitAnalysis.Run(_processes, Result.Runs, _query, _files, grouping);

    public GcResult Gcs => GcAnalysis.Run(_processes, Result.Runs, _query, _files);

    public GcResult GcsBy(GcGrouping grouping) => GcAnalysis.Run(_processes, Result.Runs, _query, _files, grouping);

    public AllocationResult Allocations(AllocationGrouping grouping) =>
        AllocationAnalysis.Run(_processes, Result.Runs, _query, grouping, _files);

    /// <summary>Checks that the sums of the reports equal the table, row by row.</summary>
    public void CheckSums()
    {
        foreach (var row in Result.Rows)
        {
            if (row.Exceptions is { } exceptions)
                Assert.Equal(exceptions, Exceptions.AllRows.Where(item => item.Runs == row.Key).Sum(item => item.Count));
            if (row.Contentions is { } contentions)
                Assert.Equal(contentions, Locks.AllRows.Where(item => item.Runs == row.Key).Sum(item => item.Count));
            if (row.ContentionMs is { } contentionMs)
                Assert.Equal(contentionMs, Locks.AllRows.Where(item => item.Runs == row.Key).Sum(item => item.Ms), 6);
            if (row.JitMethods is { } methods)
                Assert.Equal(methods, Jit.AllRows.Where(item => item.Runs == row.Key).Sum(item => item.Count));
            if (row.JitMs is { } jitMs)
                Assert.Equal(jitMs, Jit.AllRows.Where(item => item.Runs == row.Key).Sum(item => item.Ms), 6);
            if (AllocationMeasures.BytesByEvents.ValueOf(row) is { } bytes)
                Assert.Equal(
                    bytes,
                    Allocations(AllocationGrouping.Type).AllRows.Where(item => item.Runs == row.Key).Sum(item => item.Bytes),
                    3
                );
            if (row.Gcs is { } gcs)
                Assert.Equal(
                    gcs.Gen0 + gcs.Gen1 + gcs.Gen2,
                    Gcs.AllRows.Count(item => item.Run is { } run && Rows.SummaryKey.Of(run.Identity) == row.Key)
                );
            if (SchedulingMeasures.Wait.ValueOf(row) is { } waitMs)
            {
                Assert.Equal(
                    waitMs,
                    Waits.AllRows.Where(item => item.Runs == row.Key && item.Source == WaitSource.Switches).Sum(item => item.Ms),
                    6
                );
                Assert.Equal(
                    SchedulingMeasures.Waits.ValueOf(row),
                    Waits.AllRows.Where(item => item.Runs == row.Key).Sum(item => item.Count)
                );
            }
        }

        if (Result.MeasuredRuns.All(run => run is { PauseTotalMs: not null, Error.Length: 0 }))
            Assert.Equal(Result.MeasuredRuns.Sum(run => run.PauseTotalMs!.Value), Gcs.PauseMs, 6);
    }
}
