namespace EtwSerializerProfiler.Analysis.Rows;

/// <summary>Chooses the rows that compare serializers best: runs over few objects are short, and their error is large.</summary>
public static class CommonObjectCount
{
    /// <summary>Returns the rows with the object count that most serializers have; of several such counts, the largest.</summary>
    /// <param name="test">All rows of one test; at least one.</param>
    public static List<SummaryRow> RowsOf(IEnumerable<SummaryRow> test)
    {
        ArgumentNullException.ThrowIfNull(test);
        var counts = test.GroupBy(row => row.Key.ObjectCount).ToList();
        var max = counts.Max(count => count.Count());
        return [.. counts.Where(count => count.Count() == max).MaxBy(count => count.Key)!];
    }
}
