using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.Reports;

/// <summary>A line of the findings as CSV: a finding, or a figure or place of it.</summary>
/// <param name="Number">Number of the finding in the report, from 1.</param>
/// <param name="Finding">The finding.</param>
/// <param name="Figure">The figure, null of other lines.</param>
/// <param name="Place">The place, null of other lines.</param>
public sealed record FindingItem(int Number, Finding Finding, FindingFigure? Figure, FindingPlace? Place)
{
    /// <summary>What the line is.</summary>
    public string Item => Figure is not null ? "Figure" : Place is not null ? "Place" : "Finding";

    /// <summary>All lines: each finding with its figures and places behind it.</summary>
    public static IReadOnlyList<FindingItem> Of(IReadOnlyList<Finding> findings) =>
    [
        .. findings.SelectMany((finding, index) => finding.Evidence.Select(figure => new FindingItem(index + 1, finding, figure, null))
            .Concat(finding.Places.Select(place => new FindingItem(index + 1, finding, null, place))).Prepend(new FindingItem(index + 1, finding, null, null))),
    ];
}
