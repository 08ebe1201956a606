using System.Globalization;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Features;

/// <summary>A table for each group of features with serializers as rows, and numbered notes: for documents.</summary>
internal sealed class FeatureMatrix
{
    /// <summary>Creates the tables.</summary>
    /// <param name="cells">The cells.</param>
    /// <param name="suffix">What a cell says besides what was seen.</param>
    public FeatureMatrix(IReadOnlyList<FeatureCell> cells, Func<FeatureCell, string>? suffix = null)
    {
        var details = cells.Select(cell => cell.Detail).Where(detail => detail.Length > 0).Distinct().ToList();
        var rows = cells.GroupBy(cell => cell.Serializer).Select(row => new Row(row.Key, row.ToLookup(cell => cell.Key))).ToList();
        Groups = [.. cells.GroupBy(cell => cell.Group).Select(group => Section.ForPeople(group.Key, rows, Columns(group)))];
        Notes = [.. details.Select((detail, index) => string.Create(CultureInfo.InvariantCulture, $"[{index + 1}] {detail}"))];

        IReadOnlyList<Column<Row>> Columns(IEnumerable<FeatureCell> group) =>
            [
                new("serializer", "Serializer", row => row.Serializer),
                .. group
                    .DistinctBy(cell => cell.Key)
                    .Select(cell => new Column<Row>(cell.Key, cell.Feature, row => Text(row.Cells[cell.Key].FirstOrDefault()))),
            ];

        string? Text(FeatureCell? cell) => cell is null ? null : cell.Seen + suffix?.Invoke(cell) + Note(cell.Detail);

        string Note(string detail) =>
            detail.Length == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $" [{details.IndexOf(detail) + 1}]");
    }

    /// <summary>The tables, one per group.</summary>
    public IReadOnlyList<Section> Groups { get; }

    /// <summary>The notes with their numbers.</summary>
    public IReadOnlyList<string> Notes { get; }

    /// <summary>A serializer with its cells.</summary>
    private sealed record Row(string Serializer, ILookup<string, FeatureCell> Cells);
}
