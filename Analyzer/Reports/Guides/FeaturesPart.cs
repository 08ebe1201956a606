using System.Globalization;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>Features of each serializer, seen by trying.</summary>
internal static class FeaturesPart
{
    /// <summary>Fields of a cell in JSON.</summary>
    private static IReadOnlyList<Column<FeatureCell>> Cells(GuideChanges? changes) =>
        [
            new("serializer", null, cell => cell.Serializer),
            new("group", null, cell => cell.Group),
            new("key", null, cell => cell.Key),
            new("feature", null, cell => cell.Feature),
            new("seen", null, cell => cell.Seen),
            new("detail", null, cell => cell.Detail),
            new("runtime", null, cell => cell.Runtime),
            .. changes is null ? Array.Empty<Column<FeatureCell>>() : [new("olderSeen", null, changes.OlderFeature)],
        ];

    /// <summary>Builds the part.</summary>
    public static GuidePart Build(GuideInput input)
    {
        var part = new GuidePart("features", "Features");
        var cells = input.FeatureCells;
        if (cells.Count == 0)
            return part with { Missing = input.Missing(GuideKeys.Features) };
        var details = cells.Select(cell => cell.Detail).Where(detail => detail.Length > 0).Distinct().ToList();
        var serializers = cells
            .GroupBy(cell => cell.Serializer)
            .Select(row => new FeatureRow(row.Key, row.ToLookup(cell => cell.Key)))
            .ToList();
        return part with
        {
            Texts =
            [
                "Each cell was seen by writing an object and reading it back, on "
                    + $"{string.Join(", ", cells.Select(cell => cell.Runtime).Distinct())}. "
                    + "opt-in works with an option of the serializer. Numbers in brackets are notes.",
            ],
            Tables =
            [
                Section.Of("features", "", cells, [], Cells(input.Changes)).ForPrograms(),
                .. cells.GroupBy(cell => cell.Group).Select(group => Section.ForPeople(group.Key, serializers, Columns(group))),
            ],
            Notes = [.. details.Select((detail, index) => string.Create(CultureInfo.InvariantCulture, $"[{index + 1}] {detail}"))],
        };

        IReadOnlyList<Column<FeatureRow>> Columns(IEnumerable<FeatureCell> group) =>
            [
                new("serializer", "Serializer", row => row.Serializer),
                .. group
                    .DistinctBy(cell => cell.Key)
                    .Select(cell => new Column<FeatureRow>(cell.Key, cell.Feature, row => Text(row.Cells[cell.Key]))),
            ];

        string? Text(IEnumerable<FeatureCell> found) =>
            found.FirstOrDefault() is not { } cell ? null : cell.Seen + Was(cell) + Note(cell.Detail);

        string Was(FeatureCell cell) => input.Changes?.OlderFeature(cell) is { } older && older != cell.Seen ? $" (was {older})" : "";

        string Note(string detail) =>
            detail.Length == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $" [{details.IndexOf(detail) + 1}]");
    }

    /// <summary>A serializer with its cells.</summary>
    private sealed record FeatureRow(string Serializer, ILookup<string, FeatureCell> Cells);
}
