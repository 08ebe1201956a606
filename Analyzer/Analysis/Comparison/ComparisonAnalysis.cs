using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Compares the runs of two sides by row and measure, and breaks down the differences.</summary>
public static class ComparisonAnalysis
{
    /// <summary>Causes in which runtimes are known to differ, whatever the serializer.</summary>
    private static readonly IReadOnlyList<string> s_ofRuntimes = ["Reflection", "Activator"];

    /// <summary>Compares two sides.</summary>
    /// <param name="baseline">The base side: a recording, or a set of them whose spread then bounds the noise.</param>
    /// <param name="other">The other side.</param>
    /// <param name="query">The query.</param>
    /// <exception cref="NotComparableException">The sides have no row in common, or only one has several runtimes.</exception>
    public static ComparisonResult Compare(ComparedSide baseline, ComparedSide other, ComparisonQuery query)
    {
        ArgumentNullException.ThrowIfNull(baseline);
        ArgumentNullException.ThrowIfNull(other);
        ArgumentNullException.ThrowIfNull(query);
        var groups =
            query.FactorOut is { } names ? FactorOut(names)
            : AreOtherRuntimes(baseline, other) ? s_ofRuntimes
            : [];
        var byRuntime = IsByRuntime(baseline, other);
        var disturbance = new Disturbance(baseline.Recordings.Concat(other.Recordings));
        var byRecording = baseline.Recordings.Count > 1 || other.Recordings.Count > 1;
        var first = baseline.Rows(query.Filter, query.Options, disturbance, byRuntime, byRecording);
        var second = other.Rows(query.Filter, query.Options, disturbance, byRuntime, byRecording);
        var common = first.Keys.Where(second.ContainsKey).ToList();
        if (common.Count == 0)
            throw NothingInCommon(baseline, other, first.Keys, second.Keys);

        var factor = query.Options.Normalize ? Factor(baseline, other) : 1;
        var pairs = common.ConvertAll(key => Pair(key, first[key], second[key], query.Options, groups, factor));
        return new ComparisonResult
        {
            Baseline = baseline,
            Other = other,
            Options = query.Options,
            Pairs = Sorted(pairs),
            OnlyBaseline = [.. first.Keys.Where(key => !second.ContainsKey(key)).OrderBy(key => key.ToString(), StringComparer.Ordinal)],
            OnlyOther = [.. second.Keys.Where(key => !first.ContainsKey(key)).OrderBy(key => key.ToString(), StringComparer.Ordinal)],
            Differences = EnvironmentDifferences.Find(baseline, other),
            OtherFactor = factor,
            FactoredOut = groups,
        };
    }

    private static ComparedPair Pair(
        SummaryKey key,
        SideRuns baseline,
        SideRuns other,
        ComparisonOptions options,
        IReadOnlyList<string> groups,
        double factor
    )
    {
        var explanation = ExplanationBuilder.Explain([.. baseline.All], [.. other.All]);
        return new ComparedPair(
            key,
            baseline,
            other,
            [.. Metric.All.Select(metric => MetricComparison.Of(metric, baseline, other, options, factor))]
        )
        {
            Explanation = explanation,
            Without = groups.Count > 0 ? MetricComparison.Of(Metric.WallWithout(groups), baseline, other, options, factor) : null,
            Factored = explanation?.Without(groups),
        };
    }

    /// <summary>
    /// Sorts by operation, object count, payload and threads; among equal ones, the largest change comes first, because readers look for
    /// it.
    /// </summary>
    private static IReadOnlyList<ComparedPair> Sorted(List<ComparedPair> pairs) =>
        [
            .. pairs
                .OrderBy(pair => pair.Key.Operation, StringComparer.Ordinal)
                .ThenBy(pair => pair.Key.ObjectCount)
                .ThenBy(pair => pair.Key.PayloadBytes)
                .ThenBy(pair => pair.Key.ThreadCount)
                .ThenByDescending(pair => Math.Abs(Math.Log(pair.Wall.Ratio ?? 1)))
                .ThenBy(pair => pair.Key.Serializer, StringComparer.Ordinal)
                .ThenBy(pair => pair.Key.Kind)
                .ThenBy(pair => pair.Key.Runtime, StringComparer.Ordinal),
        ];

    private static List<string> FactorOut(IReadOnlyList<string> names)
    {
        var known = CauseCatalog.Groups;
        return
        [
            .. names
                .SelectMany(name =>
                    NameChoice.Find(name, known) is { Count: > 0 } found
                        ? found
                        : throw new NotComparableException($"unknown cause '{name}'", name, NameChoice.Advice(name, known))
                )
                .Distinct(),
        ];
    }

    /// <summary>Whether the sides ran on different runtimes, or on versions that differ in more than the patch level.</summary>
    private static bool AreOtherRuntimes(ComparedSide baseline, ComparedSide other)
    {
        static HashSet<string> Names(ComparedSide side) => [.. side.Runtimes.Select(RuntimeNames.Short)];
        return baseline.Runtimes.Count > 0 && other.Runtimes.Count > 0 && !Names(baseline).SetEquals(Names(other));
    }

    private static bool IsByRuntime(ComparedSide baseline, ComparedSide other)
    {
        if (baseline.HasSeveralRuntimes == other.HasSeveralRuntimes)
            return baseline.HasSeveralRuntimes;
        var several = baseline.HasSeveralRuntimes ? baseline : other;
        throw new NotComparableException(
            $"it has runs on {string.Join(", ", several.Runtimes)}, but the other side has one runtime",
            several.Name,
            $"name the recording of one runtime ({several.Name}/RUNTIME), or select it with --runtime"
        );
    }

    /// <summary>
    /// Ratio of the machines' speeds by the speed probe: time of the first machine for the same work, relative to the other. Without probe,
    /// the ratio of their clocks.
    /// </summary>
    private static double Factor(ComparedSide baseline, ComparedSide other)
    {
        if (Disturbance.FastestOf(baseline) is { } from && Disturbance.FastestOf(other) is > 0 and var to)
            return from / to;
        return EnvironmentDifferences.Megahertz(baseline) is > 0 and var own && EnvironmentDifferences.Megahertz(other) is { } others
            ? others / own
            : throw new NotComparableException(
                "one side has neither the suite's speed probe (probe_before_ns in runs.csv) nor the processors' clock (recording.json, an .etl's header)",
                $"{baseline.Name}, {other.Name}",
                "compare without --normalize, or record both sides with the built-in suite"
            );
    }

    private static NotComparableException NothingInCommon(
        ComparedSide baseline,
        ComparedSide other,
        IEnumerable<SummaryKey> first,
        IEnumerable<SummaryKey> second
    ) =>
        new(
            $"the sides have no row in common: {Some(first)} against {Some(second)}",
            $"{baseline.Name}, {other.Name}",
            "record both with the same serializers, tests, object counts, payload and threads, or select others with --serializer and --test"
        );

    private static string Some(IEnumerable<SummaryKey> keys)
    {
        var names = keys.Select(key => key.ToString()).Order(StringComparer.Ordinal).ToList();
        return names.Count == 0 ? "no match" : string.Join("; ", names.Take(3)) + (names.Count > 3 ? $" and {names.Count - 3} more" : "");
    }
}
