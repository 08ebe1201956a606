using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Features;

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

    public static GuidePart Build(GuideInput input)
    {
        var part = new GuidePart("features", "Features");
        var cells = input.FeatureCells;
        if (cells.Count == 0)
            return part with { Missing = input.Missing(GuideKeys.Features) };
        var matrix = new FeatureMatrix(cells, Was);
        return part with
        {
            Texts =
            [
                "Each cell was found by writing an object and reading it back, on "
                    + $"{string.Join(", ", cells.Select(cell => cell.Runtime).Distinct())}. "
                    + "opt-in works with an option of the serializer. Numbers in brackets are notes.",
            ],
            Tables = [Section.Of("features", "", cells, [], Cells(input.Changes)).ForPrograms(), .. matrix.Groups],
            Notes = matrix.Notes,
        };

        string Was(FeatureCell cell) => input.Changes?.OlderFeature(cell) is { } older && older != cell.Seen ? $" (was {older})" : "";
    }
}
