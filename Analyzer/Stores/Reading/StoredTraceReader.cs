using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Reading;

/// <summary>Reads traces from a store.</summary>
public static class StoredTraceReader
{
    /// <summary>Maximum number of traces whose rows are in memory at once.</summary>
    private const int AtOnce = 20;

    /// <summary>Reads the traces that an address selects.</summary>
    /// <param name="address">The store, with its selection.</param>
    /// <param name="parts">The parts to read.</param>
    /// <returns>The traces, oldest first.</returns>
    /// <exception cref="StoreException">The store cannot be read, or no trace matches.</exception>
    public static IReadOnlyList<StoredAnalysis> Read(StoreAddress address, StoredParts parts)
    {
        ArgumentNullException.ThrowIfNull(address);
        var selection = TraceSelection.Parse(address);
        using var store = TraceStores.Open(address);
        var traces = selection.Of(store.Traces());
        if (traces.FirstOrDefault(trace => NotStored(trace).Contains(RunTable.Table.Name)) is { } without)
            throw new StoreException(
                new Problem(
                    "a trace was extracted without its runs, which all reports need",
                    $"{address.Shown}, {without.Name}",
                    "extract it again without --only, or with run among the tables; or select other traces after the '#'"
                )
            );
        var read = new List<StoredAnalysis>(traces.Count);
        foreach (var some in traces.Chunk(AtOnce))
            read.AddRange(Read(store, some, parts));
        return read;
    }

    private static IEnumerable<StoredAnalysis> Read(ITraceStore store, StoredTrace[] traces, StoredParts parts)
    {
        var names = traces.Select(trace => trace.Trace).ToList();
        List<StoreTable> tables =
        [
            EnvironmentTable.Table,
            ProcessTable.Table,
            RunTable.Table,
            CauseTable.Table,
            LossTable.Table,
            FindingTable.Table,
        ];
        if ((parts & StoredParts.Methods) != 0)
            tables.Add(MethodTable.Table);
        if ((parts & StoredParts.Allocations) != 0)
            tables.Add(AllocationTable.Table);
        var rows = tables.ToDictionary(table => table, table => Rows(store, table, names));

        // Another process may have replaced the trace between two tables.
        var still = Rows(store, TraceTable.Table, names);
        return traces.Select(trace =>
            still.Contains(trace.Trace)
                ? Of(
                    trace,
                    $"{store.Address.Shown}#trace={trace.Trace}",
                    table => rows.TryGetValue(table, out var all) ? [.. all[trace.Trace]] : []
                )
                : throw new StoreException(
                    new Problem("the trace was replaced while it was read", $"{store.Address.Shown}, {trace.Name}", "try again")
                )
        );
    }

    private static ILookup<string, object?[]> Rows(ITraceStore store, StoreTable table, List<string> traces)
    {
        var rows = new List<object?[]>();
        using var reader = store.Read(table, traces);
        while (reader.Next() is { } row)
            rows.Add(row);
        return rows.ToLookup(row => (string)row[0]!);
    }

    private static StoredAnalysis Of(StoredTrace trace, string path, Func<StoreTable, IReadOnlyList<object?[]>> rowsOf)
    {
        var (environments, processes, losses) = (
            Rows(EnvironmentTable.Table),
            Rows(ProcessTable.Table),
            Rows(LossTable.Table).ToLookup(row => row.Text("kind"))
        );
        var input = InputRows.Input(trace, path, environments, processes);
        var keys = processes.ToDictionary(row => row.Small("process"), row => (InputRows.Key(row), row.Integer("ticks_per_second")));
        var all = RunRows.Of(rowsOf(RunTable.Table), rowsOf(CauseTable.Table), rowsOf(MethodTable.Table), keys);
        var byProcess = all.ToLookup(item => item.Process, item => item.Run);
        var runs = all.ConvertAll(item => item.Run);
        var result = new AnalysisResult
        {
            Processes = [.. processes.Select(row => InputRows.ProcessRuns(row, [.. byProcess[row.Small("process")]]))],
            UnmarkedProcesses = [.. losses["unmarked-process"].Select(row => row.Text("text"))],
            Runs = runs,
            Rows = SummaryRow.Group(runs.Where(run => run.Identity.Kind == RunKind.Measured)),
            FirstUseRows = SummaryRow.Group(RunAnalysis.FirstUses(runs)),
            Recordings = InputRows.Facts(environments, input),
            Damages = [.. losses["damage"].Select(InputRows.Damage)],
            InputProblems = [.. losses["problem"].Select(row => row.Text("text"))],
        };
        var allocations = Rows(AllocationTable.Table);
        return new StoredAnalysis(
            trace,
            input,
            result with
            {
                Findings = FindingRules.Check(new FindingInput(result) { Recordings = input.Recordings }),
            }
        )
        {
            Findings = [.. Rows(FindingTable.Table).Select(FindingRows.Of)],
            NotRecorded = [.. losses["not-recorded"].Select(row => row.Text("text"))],
            NotStored = NotStored(trace),
            Allocations =
                allocations.Count == 0
                    ? null
                    : [.. allocations.Select(row => (Key(row), row.OptionalText("type") ?? "(unknown)", row.Real("estimated_bytes")))],
        };

        List<StoredRow> Rows(StoreTable table) => [.. rowsOf(table).Select(values => new StoredRow(table, values))];
    }

    private static SummaryKey Key(StoredRow row) =>
        new(
            row.Text("serializer"),
            row.Text("operation"),
            row.Name<RunKind>("kind"),
            row.Small("objects"),
            row.Small("payload_bytes"),
            row.Small("threads")
        )
        {
            Runtime = row.Text("runtime"),
        };

    private static IReadOnlyList<string> NotStored(StoredTrace trace)
    {
        var stored = trace.Tables.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        return stored.Length == 0 ? [] : [.. StoreSchema.Tables.Except(StoreSchema.Always).Select(table => table.Name).Except(stored)];
    }
}
