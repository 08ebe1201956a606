using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;
using EtwSerializerProfiler.Traces.Inputs;
using MethodTable = EtwSerializerProfiler.Stores.Tables.MethodTable;

namespace EtwSerializerProfiler.Stores.Reading;

/// <summary>Converts rows of the tables run, cause and method back to runs.</summary>
internal static class RunRows
{
    /// <summary>Indexes of causes in the catalog by key.</summary>
    private static readonly Dictionary<string, int> s_causes = CauseCatalog
        .All.Select((cause, index) => (cause.Key, index))
        .ToDictionary(pair => pair.Key, pair => pair.index);

    /// <summary>Converts the runs in the order of their rows.</summary>
    /// <param name="runs">Rows of table run.</param>
    /// <param name="causes">Rows of table cause of the same trace.</param>
    /// <param name="methods">Rows of table method of the same trace; empty when methods are not requested.</param>
    /// <param name="processes">Processes by number, with the ticks per second of their clocks.</param>
    public static List<(int Process, Run Run)> Of(
        IEnumerable<object?[]> runs,
        IEnumerable<object?[]> causes,
        IEnumerable<object?[]> methods,
        IReadOnlyDictionary<int, (ProcessKey Key, long TicksPerSecond)> processes
    )
    {
        var causesOf = ByRun(CauseTable.Table, causes);
        var methodsOf = ByRun(MethodTable.Table, methods);
        return
        [
            .. runs.Select(values =>
            {
                var row = new StoredRow(RunTable.Table, values);
                var number = row.Small("process");
                var (key, ticksPerSecond) = processes[number];
                var times = row.OptionalInteger("samples_below_entry") is { } samples
                    ? Times(row, samples, ticksPerSecond, causesOf[(number, row.Small("run"))], methodsOf[(number, row.Small("run"))])
                    : null;
                return (number, Of(row, key, times));
            }),
        ];
    }

    private static Run Of(StoredRow row, ProcessKey process, CauseTimes? causes) =>
        new()
        {
            Process = process,
            Runtime = row.Text("runtime"),
            IsOneOfSeveralRuntimes = row.Flag("several_runtimes"),
            RunId = row.Small("run"),
            Identity = new RunIdentity(
                row.Text("serializer"),
                row.Text("library"),
                row.Text("library_version"),
                row.Text("operation"),
                row.Name<RunKind>("kind"),
                row.Small("objects"),
                row.Small("payload_bytes"),
                row.Small("run_number"),
                row.Small("threads")
            ),
            Operations = row.Integer("operations"),
            MeasuringThread = row.OptionalInteger("measuring_thread"),
            Delimiter = row.Delimiter("delimiter"),
            StartTicks = row.Integer("start_ticks"),
            StopTicks = row.Integer("stop_ticks"),
            OwnClock =
                row.OptionalInteger("own_start_ticks") is { } start && row.OptionalInteger("own_stop_ticks") is { } stop
                    ? (start, stop)
                    : null,
            StartMs = row.Real("start_ms"),
            StopMs = row.Real("stop_ms"),
            LaunchMs = row.OptionalReal("launch_ms"),
            WallMs = row.Real("wall_ms"),
            Values = MeasureValues.Restore(stored => row.Value(stored.Name)),
            Causes = causes,
            Error = row.Text("error"),
        };

    private static CauseTimes Times(
        StoredRow run,
        long samples,
        long ticksPerSecond,
        IEnumerable<StoredRow> causes,
        IEnumerable<StoredRow> methods
    )
    {
        var times = new CauseTimes
        {
            TicksPerSecond = ticksPerSecond,
            HasEntry = run.Flag("has_entry_frame"),
            Samples = samples,
            OtherProcesses = run.OptionalReal("other_processes_ms") is { } others ? Ticks(others) : null,
            Quality = new StackQuality(
                run.Integer("stack_samples"),
                run.Integer("stacks_broken"),
                run.Integer("stacks_expanded"),
                run.Integer("stacks_with_inline_trees"),
                run.Integer("stacks_recovered"),
                run.Integer("stacks_with_dumps")
            ),
        };
        foreach (var row in causes)
            Set(times, row.Text("cause"), Ticks(row.Real("cpu_ms")));

        // The rest has neither method nor cause.
        var known = methods
            .Where(row => row.Text("cause").Length > 0)
            .ToDictionary(
                row => new CauseMethod(
                    s_causes.GetValueOrDefault(row.Text("cause"), -1),
                    new MethodName(row.Text("method"), row.Text("module"))
                ),
                row => Ticks(row.Real("cpu_ms"))
            );
        times.Methods = known.Count > 0 ? known : null;
        return times;

        long Ticks(double milliseconds) => (long)Math.Round(milliseconds * ticksPerSecond / 1e3);
    }

    private static void Set(CauseTimes times, string cause, long ticks)
    {
        switch (cause)
        {
            case CauseTable.Own:
                times.Own = ticks;
                break;
            case CauseTable.Harness:
                times.Harness = ticks;
                break;
            case CauseTable.Broken:
                times.Broken = ticks;
                break;
            case CauseTable.GcThreads:
                times.GcThreads = ticks;
                break;
            case CauseTable.JitThreads:
                times.JitThreads = ticks;
                break;
            case CauseTable.OtherThreads:
                times.OtherThreads = ticks;
                break;
            case var key when s_causes.TryGetValue(key, out var index):
                times.Causes[index] = ticks;
                break;
            default:
                throw new StoreException(
                    new Problem(
                        $"the store has CPU time with the unknown cause '{cause}'",
                        "table cause",
                        "install the version of esp-analyze that wrote it, or extract into another file"
                    )
                );
        }
    }

    private static ILookup<(int Process, int Run), StoredRow> ByRun(StoreTable table, IEnumerable<object?[]> rows) =>
        rows.Select(values => new StoredRow(table, values)).ToLookup(row => (row.Small("process"), row.Small("run")));
}
