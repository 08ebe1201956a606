using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Reports.Features;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>A guide compared with an earlier one.</summary>
internal sealed class GuideChanges
{
    /// <summary>Options of a step that only choose its rows; other ones change what a row measures.</summary>
    private static readonly string[] s_choosing = ["-n", "-runs", "-threads", "-serializer", "--runtime", "--precompile", "-seconds"];

    private readonly OlderGuide _older;
    private readonly Dictionary<GuideRowKey, RowChange> _rows;

    /// <summary>Compares.</summary>
    public GuideChanges(GuideInput input, OlderGuide older)
    {
        _older = older;
        Environment = input.Environment;
        MachineDifferences = Differences(EnvironmentFacts.Machine);
        OtherDifferences =
        [
            .. Differences(
                EnvironmentFacts.OfMachine.Concat(EnvironmentFacts.OfRuns).Select(fact => fact.Name).Except(EnvironmentFacts.Machine)
            ),
            .. RuntimeDifferences(),
        ];
        SettingDifferences =
        [
            .. input
                .Steps.Steps.Where(step => step.State == GuideStepState.Done && !AreSameSettings(step))
                .Select(step => (step.Key, $"{step.Key}: {step.Command} against {older.Commands[step.Key]}")),
        ];
        var others = SettingDifferences.Select(difference => difference.Step).ToHashSet();
        Rows =
        [
            .. input
                .Measurements.Where(row => older.Measurements.ContainsKey(row.Key))
                .Select(row => RowChange.Of(older.Measurements[row.Key], row, isComparable: !IsOtherMachine && !others.Contains(row.Step))),
        ];
        _rows = Rows.ToDictionary(row => row.Key);
        OnlyHere = input.Measurements.Count(row => !older.Measurements.ContainsKey(row.Key));
        OnlyThere = older.Measurements.Keys.Except(input.Measurements.Select(row => row.Key)).Count();
        Features =
        [
            .. input
                .FeatureCells.Select(cell => (Cell: cell, Older: OlderFeature(cell)))
                .Where(pair => pair.Older is { } seen && seen != pair.Cell.Seen)
                .Select(pair => new FeatureChange(pair.Cell, pair.Older!)),
        ];
        Scenarios =
        [
            .. input
                .Conclusions.Select(conclusion => (Conclusion: conclusion.Value, Older: OlderVerdict(conclusion.Value.Scenario)))
                .Where(pair => pair.Older is { } verdict && verdict != pair.Conclusion.Verdict)
                .Select(pair => (pair.Conclusion, pair.Older!)),
        ];
    }

    /// <summary>The environment of the newer guide; null when it recorded nothing.</summary>
    private GuideEnvironment? Environment { get; }

    /// <summary>The earlier guide's file.</summary>
    public string Path => _older.Path;

    /// <summary>When it was measured.</summary>
    public DateTime MeasuredUtc => _older.File.Environment!.MeasuredUtc;

    /// <summary>Differences that make another machine, one sentence each.</summary>
    public IReadOnlyList<string> MachineDifferences { get; }

    /// <summary>Differences of system, runtimes and their settings.</summary>
    public IReadOnlyList<string> OtherDifferences { get; }

    /// <summary>Steps whose options differ in what they measure.</summary>
    public IReadOnlyList<(string Step, string Text)> SettingDifferences { get; }

    /// <summary>Whether the guides are of two machines, so that no number is a change.</summary>
    public bool IsOtherMachine => MachineDifferences.Count > 0;

    /// <summary>Rows that both guides have.</summary>
    public IReadOnlyList<RowChange> Rows { get; }

    /// <summary>Number of rows that only the newer guide has.</summary>
    public int OnlyHere { get; }

    /// <summary>Number of rows that only the earlier guide has.</summary>
    public int OnlyThere { get; }

    /// <summary>Features that were seen differently.</summary>
    public IReadOnlyList<FeatureChange> Features { get; }

    /// <summary>Scenarios with another verdict.</summary>
    public IReadOnlyList<(ScenarioConclusion Conclusion, string Older)> Scenarios { get; }

    /// <summary>The change of a row; null when the earlier guide lacks it.</summary>
    public RowChange? Of(string step, SummaryKey key) => _rows.GetValueOrDefault(GuideRowKey.Of(step, key));

    /// <summary>What the earlier guide saw of a feature; null when it was not tried.</summary>
    public string? OlderFeature(FeatureCell cell) => _older.Features.GetValueOrDefault((cell.Serializer, cell.Key));

    /// <summary>The earlier verdict on a scenario; null without one.</summary>
    public string? OlderVerdict(string scenario) =>
        _older.Scenarios.GetValueOrDefault(scenario) is { Length: > 0 } verdict ? verdict : null;

    private IReadOnlyList<string> Differences(IEnumerable<string> names)
    {
        var (from, to) = (_older.File.Environment!.Facts, Environment?.Facts ?? new Dictionary<string, string>());
        return
        [
            .. names
                .Where(name => from.ContainsKey(name) && to.ContainsKey(name) && from[name] != to[name])
                .Select(name => $"{name}: {from[name]} then, {to[name]} now"),
        ];
    }

    private IEnumerable<string> RuntimeDifferences()
    {
        var from = _older.File.Environment!.Runtimes ?? new Dictionary<string, IReadOnlyList<string>>();
        return (Environment?.Runtimes ?? new Dictionary<string, IReadOnlyList<string>>())
            .Where(step => from.TryGetValue(step.Key, out var before) && !before.SequenceEqual(step.Value))
            .Select(step => $"runtime: {string.Join(", ", from[step.Key])} then, {string.Join(", ", step.Value)} now")
            .Distinct();
    }

    private bool AreSameSettings(GuideStep step) =>
        !_older.Commands.TryGetValue(step.Key, out var before)
        || Settings(step.Command.Split(' ')).SequenceEqual(Settings(before.Split(' ')));

    /// <summary>Words of a command without the options that choose rows, and their values.</summary>
    private static IEnumerable<string> Settings(string[] words) =>
        words.Where((word, at) => !s_choosing.Contains(word) && (at == 0 || !s_choosing.Contains(words[at - 1])));
}

/// <summary>A feature that was seen differently.</summary>
internal sealed record FeatureChange(FeatureCell Cell, string Older)
{
    public const string FailsNow = "worked then, fails now";

    /// <summary>What it means.</summary>
    public string What =>
        (Worked(Older), Cell.Works) switch
        {
            (true, false) when Cell.Seen is "no" => FailsNow,
            (false, true) when Older is "no" => "failed then, works now",
            _ => "changed",
        };

    private static bool Worked(string seen) => seen is "yes" or "opt-in";
}

/// <summary>A row of two guides.</summary>
/// <param name="Older">The earlier guide's.</param>
/// <param name="Newer">The newer guide's.</param>
/// <param name="Wall">Wall times, compared by the rule of <c>esp-analyze diff</c>; null when the guides are not comparable.</param>
internal sealed record RowChange(GuideMeasurement Older, GuideMeasurement Newer, MetricComparison? Wall)
{
    public const string Slower = "slower";
    public const string Faster = "faster";
    public const string Equal = "equal within noise";
    public const string TooFewRuns = "too few runs";
    public const string NotCompared = "not compared";
    public const string Larger = "larger";
    public const string Smaller = "smaller";
    public const string SameSize = "equal";

    /// <summary>Minimum relative difference of sizes that counts, as for the bytes of <c>diff</c>.</summary>
    private static readonly double s_minChange = Metric.Allocation.MinChange;

    /// <summary>The row.</summary>
    public GuideRowKey Key => Newer.Key;

    /// <summary>The verdict on the time.</summary>
    public string Verdict =>
        Wall?.Verdict switch
        {
            null => NotCompared,
            Analysis.Comparison.Verdict.Worse => Slower,
            Analysis.Comparison.Verdict.Better => Faster,
            Analysis.Comparison.Verdict.Same => Equal,
            _ => TooFewRuns,
        };

    /// <summary>The verdict on the data size, which is counted and has no noise; null when a guide has no size.</summary>
    public string? SizeVerdict =>
        Older.DataBytes is not > 0 || Newer.DataBytes is not > 0 ? null
        : Wall is null ? NotCompared
        : Math.Abs((Newer.DataBytes.Value / (double)Older.DataBytes.Value) - 1) < s_minChange ? SameSize
        : Newer.DataBytes > Older.DataBytes ? Larger
        : Smaller;

    /// <summary>Whether the time differs beyond noise.</summary>
    public bool IsTimeChanged => Verdict is Slower or Faster;

    /// <summary>Whether the size differs.</summary>
    public bool IsSizeChanged => SizeVerdict is Larger or Smaller;

    /// <summary>The time's verdict for a cell: with its ratio when it differs.</summary>
    public string TimeText => IsTimeChanged ? Percent(Wall!.Ratio - 1, Verdict) : Verdict;

    /// <summary>The size's verdict for a cell; null without sizes.</summary>
    public string? SizeText => IsSizeChanged ? Percent((Newer.DataBytes / (double)Older.DataBytes!) - 1, SizeVerdict!) : SizeVerdict;

    /// <summary>Compares a row of two guides.</summary>
    public static RowChange Of(GuideMeasurement older, GuideMeasurement newer, bool isComparable)
    {
        IReadOnlyList<double[]> first = [.. older.WallMs.Where(values => values.Length > 0)];
        IReadOnlyList<double[]> second = [.. newer.WallMs.Where(values => values.Length > 0)];
        return new RowChange(
            older,
            newer,
            isComparable && first.Count > 0 && second.Count > 0
                ? MetricComparison.OfValues(Metric.Wall, first, second, GuideMeasurement.Options)
                : null
        );
    }

    private static string Percent(double? share, string verdict) =>
        share is { } known ? FormattableString.Invariant($"{verdict} {known * 100:+0.0;-0.0} %") : verdict;
}
