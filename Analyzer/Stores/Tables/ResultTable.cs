using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>result</c>: what most questions over many traces are about, small enough to be read whole.</summary>
public static class ResultTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredResult> Table { get; } = new("result", "The runs of one serializer and test of a trace: a row of 'esp-analyze table'",
    [
        .. RowKeyColumns.Of<StoredResult>(row => row.Row.Key, row => row.Row.Runtime),
        new("first_use", "1 for first calls and first warm-ups, 0 for the measured runs", row => row.IsFirstUse),
        new("library_version", "Version of the assembly that implements the serializer", row => row.Row.LibraryVersion),
        new("runs", "Runs that make the numbers", row => row.Row.Runs),
        new("failed_runs", "Runs that ended with an exception", row => row.Row.FailedRuns),
        new("operations", "Operations of these runs", row => row.Row.Operations),
        new("wall_median_ms", "Median of the wall times; of iterations of BenchmarkDotNet, here and in the three below, of one operation", row => row.Row.WallMedianMs),
        new("wall_min_ms", "Shortest", row => row.Row.WallMinMs),
        new("wall_max_ms", "Longest", row => row.Row.WallMaxMs),
        new("wall_iqr_ms", "Distance of the quartiles", row => row.Row.WallIqrMs),
        new("wall_total_ms", "Sum of the wall times", row => row.Row.WallTotalMs),
        new("data_bytes", "Size of one run's serialized data", row => row.Row.DataBytes),
        new("gc0", "Collections of generation 0 over all runs", row => row.Row.Collections?.Gen0),
        new("gc1", "Collections of generation 1", row => row.Row.Collections?.Gen1),
        new("gc2", "Collections of generation 2", row => row.Row.Collections?.Gen2),
        new("pause_ms", "GC pause over all runs", row => row.Row.PauseTotalMs),
        new("pause_max_ms", "Longest GC pause", row => row.Row.PauseMaxMs),
        new("allocated_bytes", "Bytes allocated over all runs", row => row.Row.AllocatedBytes),
        new("allocated_bytes_per_object", "Bytes allocated for each object", row => row.Row.AllocatedBytesPerObject),
        new("jit_methods", "Methods compiled over all runs", row => row.Row.JitMethods),
        new("jit_ms", "Time of compilation over all runs", row => row.Row.JitMs),
        new("exceptions", "Exceptions thrown over all runs", row => row.Row.Exceptions),
        new("contentions", "Waits for managed locks over all runs", row => row.Row.Contentions),
        new("contention_ms", "Time waited for managed locks over all runs", row => row.Row.ContentionMs),
        new("thread_cpu_ms", "CPU time of the measuring thread by its own clock over all runs", row => row.Row.ThreadCpuMs),
        new("cpu_ms", "CPU time of the process over all runs", row => row.Row.CpuMs),
        new("samples", "CPU samples over all runs", row => row.Row.Samples?.Count),
        new("broken_stacks", "Samples whose stack does not reach the begin of its thread", row => row.Row.Samples?.BrokenStacks),
        new("serializer_ms", "CPU time below the serializer's entry frame over all runs", row => Milliseconds(row, times => times.Serializer)),
        new("own_ms", "Of it, the serializer's own code", row => Milliseconds(row, times => times.Own)),
        .. CauseCatalog.All.Select(cause => cause.Group).Distinct().Select(Group),
    ]);

    /// <summary>Name of a group's column: <c>reflection_ms</c>, <c>io_ms</c>.</summary>
    public static string GroupColumn(string group)
    {
        ArgumentNullException.ThrowIfNull(group);
        return string.Concat(group.Where(char.IsLetter).Select(char.ToLowerInvariant)) + "_cause_ms";
    }

    private static StoreColumn<StoredResult> Group(string group) => new(GroupColumn(group), $"Of it, with the cause {group}", row => Milliseconds(row, times => times.Group(group)));

    private static double? Milliseconds(StoredResult row, Func<CauseTimes, long> ticks) => row.Row.Causes is { } times ? times.ToMilliseconds(ticks(times)) : null;
}
