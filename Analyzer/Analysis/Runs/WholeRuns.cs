namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>Chooses the runs from which a row's numbers are computed.</summary>
internal static class WholeRuns
{
    /// <summary>The runs without a dump and without lost events; all runs if the row has only such ones.</summary>
    public static IReadOnlyList<T> Counted<T>(IReadOnlyList<T> row, Func<T, Run> runOf)
    {
        IReadOnlyList<T> whole = [.. row.Where(item => runOf(item).IsWhole)];
        return whole.Count > 0 ? whole : row;
    }
}
