using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>
/// Creates all rows of a trace. The same trace always gives the same rows in the same order; on another machine native code may have other
/// names, because they come from that machine's libraries.
/// </summary>
public static class RowBuilder
{
    /// <summary>Creates the rows.</summary>
    /// <param name="trace">The trace after reading.</param>
    /// <param name="identity">The trace's key, name, format and size; the rest of its row comes from the analysis.</param>
    /// <param name="options">What to extract.</param>
    public static TraceRows Build(ExtractedTrace trace, StoredTrace identity, ExtractOptions options)
    {
        ArgumentNullException.ThrowIfNull(trace);
        ArgumentNullException.ThrowIfNull(options);
        var environments = EnvironmentRows.Of(trace);
        var rows = new TraceRows(TraceTableRow.Of(trace, identity, environments, options));
        Add(EnvironmentTable.Table, environments);
        Add(ProcessTable.Table, ProcessRows.Of(trace));
        Add(RunTable.Table, trace.Runs.Select(run => new StoredRun(run.Process, run.Run)));
        Add(
            ResultTable.Table,
            trace
                .Result.Rows.Select(row => new StoredResult(row, false))
                .Concat(trace.Result.FirstUseRows.Select(row => new StoredResult(row, true)))
        );
        Add(CauseTable.Table, CauseRows.Of(trace));
        Add(MethodTable.Table, MethodRows.Of(trace));
        Add(GcTable.Table, GcRows.Of(trace));
        Add(AllocationTable.Table, AllocationRows.Of(trace.Read.Allocations?.AllRows ?? []));
        Add(ExceptionTable.Table, ExceptionRows.Of(trace.Read.Exceptions ?? []));
        Add(LockTable.Table, LockRows.Of(trace.Read.Locks?.AllRows ?? []));
        Add(JitTable.Table, CompilationRows.Of(trace.Read.Compilations ?? []));
        Add(FindingTable.Table, trace.Result.Findings.Select((finding, index) => new StoredFinding(index + 1, finding)));
        Add(LossTable.Table, LossRows.Of(trace));
        return rows;

        void Add<T>(StoreTable<T> table, IEnumerable<T> values)
        {
            if (!options.Wants(table))
                return;
            foreach (var value in values)
                rows.Add(table, value);
        }
    }
}
