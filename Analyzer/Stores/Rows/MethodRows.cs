using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>Rows of table <c>method</c>: the methods with the most time of each run, and the rest in one row.</summary>
internal static class MethodRows
{
    /// <summary>Approximate maximum number of rows per trace.</summary>
    internal const int MaxRows = 20_000;

    /// <summary>Minimum and maximum number of individual methods of a run.</summary>
    internal const int Min = 3,
        Max = 50;

    /// <summary>Creates the rows, run by run, largest first.</summary>
    public static IEnumerable<StoredMethod> Of(ExtractedTrace trace)
    {
        var runs = trace.Runs.Where(run => run.Run.Causes?.Methods is { Count: > 0 }).ToList();
        var top = TopOf(runs.Count);
        foreach (var (process, run) in runs)
        {
            var times = run.Causes!;
            var sorted = times
                .Methods!.Where(pair => pair.Value != 0)
                .OrderByDescending(pair => pair.Value)
                .ThenBy(pair => pair.Key.Cause)
                .ThenBy(pair => pair.Key.Method.Name, StringComparer.Ordinal)
                .ThenBy(pair => pair.Key.Method.Module, StringComparer.Ordinal)
                .ToList();

            // A rest with one method is stored as that method.
            var named = sorted.Count <= top + 1 ? sorted.Count : top;
            foreach (var (method, ticks) in sorted.Take(named))
                yield return new StoredMethod(
                    process,
                    run.RunId,
                    CauseOf(method),
                    method.Method.Name,
                    method.Method.Module,
                    1,
                    times.ToMilliseconds(ticks)
                );
            if (named < sorted.Count)
                yield return new StoredMethod(
                    process,
                    run.RunId,
                    "",
                    StoreTable.Other,
                    "",
                    sorted.Count - named,
                    times.ToMilliseconds(sorted.Skip(named).Sum(pair => pair.Value))
                );
        }
    }

    /// <summary>Number of individual methods per run, for a trace with this many runs.</summary>
    internal static int TopOf(int runs) => Math.Clamp(MaxRows / Math.Max(runs, 1), Min, Max);

    private static string CauseOf(CauseMethod method) => method.Cause < 0 ? CauseTable.Own : CauseCatalog.All[method.Cause].Key;
}
