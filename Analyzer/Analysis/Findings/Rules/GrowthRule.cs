using System.Globalization;
using EtwSerializerProfiler.Analysis.Growth;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Time that grows faster than the graph: the exponent of time over object count, over at least three counts of 1,000 objects or more that
/// span a factor of four. Every run is a point, so that noise widens the interval. Recorded ready time is subtracted, because long runs are
/// preempted more often, and so are GC pauses, which grow with the survivors. Small graphs can hide growth of large ones, so the rule
/// reports the longest series of the largest counts that grows too fast.
/// </summary>
public sealed class GrowthRule : IFindingRule
{
    private const int MinCounts = 3;

    /// <summary>Minimum ratio of largest to smallest count; with less, a slow phase of the machine looks like growth.</summary>
    private const double MinSpan = 4;

    /// <summary>
    /// The interval's lower end must exceed this: caches and the GC make linear work grow with an exponent of up to about 1.3.
    /// </summary>
    private const double MaxExponent = 1.5;
    private const double Quadratic = 2;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        return input
            .Result.Rows.Where(row => row.Key.ObjectCount >= GrowthPoints.MinObjects && GrowthPoints.Usable(row).Any())
            .GroupBy(row => row.Key with { ObjectCount = 0 })
            .Select(rows => Check(rows.Key, [.. rows.OrderBy(row => row.Key.ObjectCount)], input))
            .OfType<Finding>();
    }

    private static Finding? Check(SummaryKey test, List<SummaryRow> rows, FindingInput input)
    {
        for (var first = 0; first + MinCounts <= rows.Count; first++)
        {
            var counted = rows[first..];
            if (counted[^1].Key.ObjectCount < MinSpan * counted[0].Key.ObjectCount)
                break;
            if (
                PowerLaw.Fit([
                    .. counted.SelectMany(row =>
                        GrowthPoints.Usual(row).Select(run => ((double)row.Key.ObjectCount, GrowthPoints.Time(run)))
                    ),
                ]) is
                { Low: > MaxExponent } law
            )
                return Describe(test, counted, law, input);
        }

        return null;
    }

    private static Finding Describe(SummaryKey test, List<SummaryRow> rows, PowerLaw law, FindingInput input)
    {
        var method = Growing(rows, input.Methods);
        var advice = Advice(test, method);
        var text = string.Create(
            CultureInfo.InvariantCulture,
            $"{test}: time grows with the {law.Exponent:0.00}th power of the object count (95 % interval {law.Low:0.00} to {law.High:0.00}) from {rows[0].Key.ObjectCount} to {Plural.Of(rows[^1].Key.ObjectCount, "object")}: {(law.High >= Quadratic ? "quadratic or worse" : "more than linear")}"
        );
        var time = rows.Exists(row => GrowthPoints.Usable(row).Any(run => run.Measuring is not null))
            ? " without ready time and pauses"
            : "";
        var named = method is { } known ? $"; {known.Name} grows most" : "";
        return new Finding(FindingKind.Hint, "growth", $"{text}{named}; {advice}")
        {
            Confidence = rows.Count > MinCounts && law.Points > 2 * rows.Count ? FindingConfidence.Certain : FindingConfidence.Likely,
            Advice = advice,
            Evidence =
            [
                new FindingEvidence(
                    $"exponent of {test} over {rows.Count} object counts and {Plural.Of(law.Points, "run")}",
                    law.Exponent,
                    ""
                )
                {
                    Interval = (law.Low, law.High),
                },
                .. rows.Select(row => new FindingEvidence($"{row.Key}: median{time}", GrowthPoints.Median(row), "ms")),
                .. rows.Select(row => new FindingEvidence(
                    $"{row.Key}: time per object",
                    1e6 * GrowthPoints.Median(row) / row.Key.ObjectCount,
                    "ns"
                )),
                .. method is { } growing
                    ? (FindingEvidence[])
                        [
                            new FindingEvidence($"{growing.Name}: CPU per object, N={rows[0].Key.ObjectCount}", growing.SmallNs, "ns"),
                            new FindingEvidence($"{growing.Name}: CPU per object, N={rows[^1].Key.ObjectCount}", growing.LargeNs, "ns"),
                        ]
                    : [],
            ],
            Locations =
            [
                .. Enumerable
                    .Reverse(rows)
                    .Select(row => FindingLocation.Of(GrowthPoints.Completed(row).OrderByDescending(run => run.WallMs).First())),
            ],
        };
    }

    private static string Advice(SummaryKey test, (string Name, double SmallNs, double LargeNs)? method)
    {
        if (test.Serializer.Contains("BinaryFormatter", StringComparison.OrdinalIgnoreCase))
            return "BinaryFormatter's table of objects grows with the square of their number on .NET Framework and Mono: the switch System.Runtime.Serialization.UseNewMaxArraySize fixes it from .NET Framework 4.7.2 on; .NET (Core) is not affected; or write smaller graphs";
        return method is { } known
            ? $"look for a search through all previous objects in {known.Name} and its callers (esp-analyze cpu --tree --serializer {test.Serializer} --test {test.Operation}); until then write smaller graphs"
            : $"record CPU samples, and compare the methods of the smallest and largest graphs (esp-analyze cpu --serializer {test.Serializer} --test {test.Operation}); until then write smaller graphs";
    }

    /// <summary>
    /// The method whose own CPU time per object grows most from the smallest to the largest graph; null without samples, or when that is at
    /// most a quarter of the largest graph's time.
    /// </summary>
    private static (string Name, double SmallNs, double LargeNs)? Growing(List<SummaryRow> rows, IReadOnlyList<MethodCost>? methods)
    {
        if (methods is null)
            return null;
        var (small, large) = (rows[0], rows[^1]);
        var before = PerObject(small, methods);
        var after = PerObject(large, methods);
        var most = after
            .Select(pair => (Name: pair.Key, Small: before.GetValueOrDefault(pair.Key), Large: pair.Value))
            .OrderByDescending(method => method.Large - method.Small)
            .FirstOrDefault();
        return most.Name is not null && most.Large - most.Small > after.Values.Sum() / 4 ? most : null;
    }

    /// <summary>CPU time per object in ns, by method.</summary>
    private static Dictionary<string, double> PerObject(SummaryRow row, IReadOnlyList<MethodCost> methods) =>
        methods
            .Where(method => method.Runs == row.Key && method is { Samples: > 0, Kind: not CodeKind.Kernel })
            .GroupBy(method => method.Name)
            .ToDictionary(
                method => method.Key,
                method => 1e6 * method.Sum(part => part.CpuMs) / ((double)row.Operations * row.Key.ObjectCount)
            );
}
