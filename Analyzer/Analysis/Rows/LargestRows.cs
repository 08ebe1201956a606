namespace EtwSerializerProfiler.Analysis.Rows;

/// <summary>The rows of a test that answer which serializer is fast: with few objects a run is too short to tell.</summary>
public static class LargestRows
{
    /// <summary>Of a test's rows those of the largest object count that most serializers have.</summary>
    public static List<SummaryRow> Of(IEnumerable<SummaryRow> test)
    {
        ArgumentNullException.ThrowIfNull(test);
        var counts = test.GroupBy(row => row.Key.ObjectCount).ToList();
        var most = counts.Max(count => count.Count());
        return [.. counts.Where(count => count.Count() == most).MaxBy(count => count.Key)!];
    }
}
