using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>What changed since an earlier guide.</summary>
internal static class ComparedPart
{
    private static IReadOnlyList<Column<RowChange>> Rows { get; } =
    [
        new("step", "Step", row => row.Key.Step),
        new("serializer", "Serializer", row => row.Key.Serializer),
        new("runtime", "Runtime", row => row.Key.Runtime) { ShownWith = row => row.Key.Runtime.Length > 0 },
        new("operation", "Operation", row => row.Key.Operation),
        new("kind", null, row => row.Key.Kind),
        new("objects", "Objects", row => row.Key.Objects > 0 ? row.Key.Objects : null, "0")
        {
            Absent = _ => Column<RowChange>.NotApplicable,
        },
        new("payloadBytes", null, row => row.Key.PayloadBytes, "0"),
        new("threads", "Threads", row => row.Key.Threads, "0") { ShownWith = row => row.Key.Threads > 1 },
        new("olderMs", "Then ms", row => row.Wall?.Baseline, "0.000"),
        new("newerMs", "Now ms", row => row.Wall?.Other, "0.000"),
        new("ratio", "Ratio", row => row.Wall?.Ratio, "0.000"),
        new("ratioLow", "95 % from", row => row.Wall?.Ratio is null ? null : row.Wall.Low, "0.000"),
        new("ratioHigh", "to", row => row.Wall?.Ratio is null ? null : row.Wall.High, "0.000"),
        new("verdict", "Verdict", row => row.Verdict),
        new("neededRuns", null, row => row.Wall?.NeededRuns, "0"),
        new("olderDataBytes", null, row => row.Older.DataBytes, "0"),
        new("dataBytes", null, row => row.Newer.DataBytes, "0"),
        new("sizeVerdict", null, row => row.SizeVerdict),
        new("olderLibraryVersion", null, row => row.Older.LibraryVersion),
        new("libraryVersion", null, row => row.Newer.LibraryVersion),
    ];

    private static IReadOnlyList<Column<RowChange>> Sizes { get; } =
    [
        new("serializer", "Serializer", row => row.Key.Serializer),
        new("objects", "Objects", row => row.Key.Objects, "0"),
        new("olderDataBytes", "Then B", row => row.Older.DataBytes, "0"),
        new("dataBytes", "Now B", row => row.Newer.DataBytes, "0"),
        new("sizeVerdict", "Verdict", row => row.SizeText),
    ];

    private static IReadOnlyList<Column<FeatureChange>> Features { get; } =
    [
        new("serializer", "Serializer", change => change.Cell.Serializer),
        new("key", null, change => change.Cell.Key),
        new("feature", "Feature", change => change.Cell.Feature),
        new("olderSeen", "Then", change => change.Older),
        new("seen", "Now", change => change.Cell.Seen),
        new("change", "Change", change => change.What),
        new("detail", "Why", change => change.Cell.Detail),
    ];

    private static IReadOnlyList<Column<(ScenarioConclusion Conclusion, string Older)>> Scenarios { get; } =
    [
        new("scenario", "Scenario", change => change.Conclusion.Scenario),
        new("olderVerdict", "Then", change => change.Older),
        new("verdict", "Now", change => change.Conclusion.Verdict),
        new("sentence", "Measured", change => change.Conclusion.Sentence),
    ];

    public static GuidePart Build(GuideInput input, GuideChanges changes)
    {
        var slower = changes.Rows.Where(row => row.IsTimeChanged).OrderByDescending(row => row.Wall!.Ratio).ToList();
        var sizes = changes.Rows.Where(row => row.IsSizeChanged).DistinctBy(row => (row.Key.Serializer, row.Key.Objects)).ToList();
        var tables = new List<Section> { Section.Of("rows", "", changes.Rows, Rows, Rows).ForPrograms() };
        if (slower.Count > 0)
            tables.Add(Section.ForPeople("Times that differ beyond noise", slower, Rows));
        if (sizes.Count > 0)
            tables.Add(Section.Of("sizes", "Data sizes that differ", sizes, Sizes, Sizes));
        if (changes.Features.Count > 0)
            tables.Add(Section.Of("features", "Features", changes.Features, Features, Features));
        if (changes.Scenarios.Count > 0)
            tables.Add(Section.Of("scenarios", "Scenarios", changes.Scenarios, Scenarios, Scenarios));
        return new GuidePart("compared", "What changed")
        {
            Texts = [.. Texts(input, changes)],
            Tables = tables,
            Notes = [.. Notes(changes)],
        };
    }

    private static IEnumerable<string> Texts(GuideInput input, GuideChanges changes)
    {
        yield return Summary(input, changes);
        var others = Others(changes);
        if (others.Length > 0)
            yield return others;
        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"Compared with {changes.Path}, measured {changes.MeasuredUtc:yyyy-MM-dd HH:mm} UTC."
        );
        if (changes.IsOtherMachine)
            yield return "Another machine, so no number is called a change: " + string.Join("; ", changes.MachineDifferences) + ".";
        if (changes.OtherDifferences.Count > 0)
            yield return "Other system, runtime or settings: " + string.Join("; ", changes.OtherDifferences) + ".";
        if (changes.SettingDifferences.Count > 0)
            yield return "Other options, so the rows of these steps are not compared: "
                + string.Join("; ", changes.SettingDifferences.Select(difference => difference.Text))
                + ".";
    }

    /// <summary>Rows slower, faster and equal, in one sentence.</summary>
    public static string Summary(GuideInput input, GuideChanges changes)
    {
        var counts = changes.Rows.CountBy(row => row.Verdict).ToDictionary();
        int Count(string verdict) => counts.GetValueOrDefault(verdict);
        if (changes.Rows.Count == 0)
            return "No row is in both guides, so no time is compared.";
        var rows =
            Count(RowChange.NotCompared) == changes.Rows.Count
                ? $"{Plural.Of(changes.Rows.Count, "row")} in both guides, none compared"
                : $"{Plural.Of(Count(RowChange.Slower), "row")} slower, {Count(RowChange.Faster)} faster, "
                    + $"{Count(RowChange.Equal)} equal within noise, {Count(RowChange.TooFewRuns)} with too few runs to decide"
                    + (Count(RowChange.NotCompared) is > 0 and var without ? $", {without} not compared" : "");
        return $"{rows}, of these settings: {input.Steps.Find(GuideKeys.Throughput)?.Command ?? "those of the steps below"}.";
    }

    private static string Others(GuideChanges changes)
    {
        var parts = new List<string>();
        var sizes = changes
            .Rows.Where(row => row.SizeVerdict is not null)
            .DistinctBy(row => (row.Key.Serializer, row.Key.Objects))
            .ToList();
        if (sizes.Exists(row => row.SizeVerdict != RowChange.NotCompared))
            parts.Add($"data sizes: {sizes.Count(row => row.IsSizeChanged)} of {sizes.Count} differ");
        var failing = changes.Features.Count(change => change.What == FeatureChange.FailsNow);
        parts.Add(
            $"features: {changes.Features.Count} changed"
                + (failing > 0 ? $", {failing} of them {(failing == 1 ? "no longer works" : "no longer work")}" : "")
        );
        parts.Add($"scenarios: {changes.Scenarios.Count} with another verdict");
        var text = string.Join("; ", parts) + ".";
        return char.ToUpperInvariant(text[0]) + text[1..];
    }

    private static IEnumerable<string> Notes(GuideChanges changes)
    {
        if (changes.Rows.Any(row => row.Wall is not null))
            yield return "Noise: the rule of esp-analyze diff, over the runs that both guides keep by process. Between equal guides, "
                + FormattableString.Invariant(
                    $"{GuideMeasurement.Options.SignificanceLevel * 100:0.#} % of the rows differ by chance. A size counts from 0.1 %."
                );
        if (changes.OnlyHere + changes.OnlyThere > 0)
            yield return $"In one guide only: {Plural.Of(changes.OnlyHere, "row")} of this one, {changes.OnlyThere} of the earlier one.";
    }
}
