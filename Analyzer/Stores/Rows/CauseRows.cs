using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>Rows of table <c>cause</c>: the nonzero parts of each run's CPU time.</summary>
internal static class CauseRows
{
    /// <summary>Creates the rows, run by run.</summary>
    public static IEnumerable<StoredCause> Of(ExtractedTrace trace)
    {
        foreach (var (process, run) in trace.Runs)
        {
            if (run.Causes is not { } times)
                continue;
            foreach (var (cause, group, ticks) in Parts(times))
            {
                if (ticks != 0)
                    yield return new StoredCause(process, run.RunId, cause, group, times.ToMilliseconds(ticks));
            }
        }
    }

    private static IEnumerable<(string Cause, string Group, long Ticks)> Parts(CauseTimes times)
    {
        yield return (CauseTable.Own, "", times.Own);
        for (var cause = 0; cause < times.Causes.Length; cause++)
            yield return (CauseCatalog.All[cause].Key, CauseCatalog.All[cause].Group, times.Causes[cause]);
        yield return (CauseTable.Harness, "", times.Harness);
        yield return (CauseTable.Broken, "", times.Broken);
        yield return (CauseTable.GcThreads, "", times.GcThreads);
        yield return (CauseTable.JitThreads, "", times.JitThreads);
        yield return (CauseTable.OtherThreads, "", times.OtherThreads);
    }
}
