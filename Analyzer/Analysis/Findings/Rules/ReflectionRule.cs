using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Rows whose serializer spends significantly more than 15 % of its CPU time on reflection and Activator: the lower bound of the share's 95
/// % interval (Wilson 1927) must exceed it.
/// </summary>
public sealed class ReflectionRule : IFindingRule
{
    private const double MaxShare = 0.15;
    private const double Normal = 1.959963984540054;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var taken = input.Result.Rows.Where(row => Interval(row) is { Low: > MaxShare }).ToLookup(RowFinding.IsProgram);
        List<Finding> found =
        [
            .. Hint(
                input,
                taken[false],
                "serializer's CPU time",
                "find the members (esp-analyze causes --detail, cpu --tree); use the serializer's source generator or compiled accessors if it has them, or cache lookups"
            ),
            .. Hint(
                input,
                taken[true],
                "CPU time",
                "find the members (esp-analyze causes FOLDER --detail, cpu FOLDER --tree); cache delegates for frequent calls, or use a source generator"
            ),
        ];
        var rows = input.Result.Rows.GroupBy(row => row.Key.ToString()).ToDictionary(group => group.Key, group => group.First());
        return found.Select(finding =>
            finding with
            {
                Evidence =
                [
                    .. finding.Evidence.Select(figure =>
                        Interval(rows[figure.Name]) is var (low, high) ? figure with { Interval = (100 * low, 100 * high) } : figure
                    ),
                ],
            }
        );
    }

    private static IEnumerable<Finding> Hint(FindingInput input, IEnumerable<SummaryRow> rows, string whose, string advice) =>
        RowFinding.Hint(
            "reflection",
            $"reflection and Activator take over 15 % of the {whose}",
            rows,
            row => 100 * Share(row),
            row => $"{100 * Share(row):0} %{From(input, row)}",
            advice,
            worst: run => run.Causes is { } times ? times.ToMilliseconds(Ticks(times)) : null,
            costMs: row => RowFinding.IsProgram(row) && row.Causes is { } times ? times.ToMilliseconds(Ticks(times)) : null
        );

    /// <summary>The line of the program's own code that leads to reflection.</summary>
    private static string From(FindingInput input, SummaryRow row) =>
        RowFinding.IsProgram(row)
        && input.Flames?.LineOf(row.Key, cause => cause.Group is CauseCatalog.ReflectionGroup or CauseCatalog.ActivatorGroup) is { } line
            ? $", most from {line.Line} in {line.Method}"
            : "";

    private static long Ticks(CauseTimes times) => times.Group(CauseCatalog.ReflectionGroup) + times.Group(CauseCatalog.ActivatorGroup);

    private static double? Share(SummaryRow row) =>
        row.Causes is { Serializer: > 0 } times ? (double)Ticks(times) / times.Serializer : null;

    private static (double Low, double High)? Interval(SummaryRow row)
    {
        if (Share(row) is not { } share || row.Causes!.Samples == 0)
            return null;
        double samples = row.Causes.Samples;
        var middle = (share + (Normal * Normal / (2 * samples))) / (1 + (Normal * Normal / samples));
        var half =
            Normal
            * Math.Sqrt((share * (1 - share) / samples) + (Normal * Normal / (4 * samples * samples)))
            / (1 + (Normal * Normal / samples));
        return (middle - half, middle + half);
    }
}
