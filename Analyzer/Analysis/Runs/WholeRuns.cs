namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>The runs that make a row's numbers.</summary>
internal static class WholeRuns
{
    /// <summary>Excludes runs with a dump or with lost events, unless the row has only such runs.</summary>
    public static IReadOnlyList<T> Counted<T>(IReadOnlyList<T> row, Func<T, Run> runOf)
    {
        IReadOnlyList<T> whole = [.. row.Where(item => runOf(item).IsWhole)];
        return whole.Count > 0 ? whole : row;
    }
}
