using System.Text.RegularExpressions;
using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>
/// Breakdown of the difference between two sides. Medians cannot be broken down, so it uses means over the compared runs: the mean wall
/// time is the sum of its parts, run by run, and the means of the parts add up to it.
/// </summary>
public sealed record Explanation
{
    /// <summary>
    /// Whether the parts form the CPU time of the whole process instead of wall time: for runs on several threads, and for programs without
    /// marks.
    /// </summary>
    public required bool IsCpuTime { get; init; }

    /// <summary>Mean of base in ms per run.</summary>
    public required double BaselineMs { get; init; }

    /// <summary>Mean of the other side in ms per run.</summary>
    public required double OtherMs { get; init; }

    /// <summary>All measured parts, largest difference first.</summary>
    public required IReadOnlyList<ExplainedPart> Parts { get; init; }

    /// <summary>Whether CPU samples provide causes; without them, only waits and pauses are known.</summary>
    public required bool HasCauses { get; init; }

    /// <summary>Difference: other minus base, in ms per run.</summary>
    public double DifferenceMs => OtherMs - BaselineMs;

    /// <summary>
    /// The parts that explain the difference, largest first: those that exceed the sampling error, until the rest is below a twentieth of
    /// the difference. If a cause does not exceed it, one of its methods may: few samples of a method that the other side lacks are
    /// significant, but disappear among the many of the whole cause.
    /// </summary>
    public IReadOnlyList<ExplainedPart> Shown
    {
        get
        {
            var shown = new List<ExplainedPart>();
            var left = DifferenceMs;
            foreach (
                var part in Parts
                    .SelectMany(part =>
                        part.IsSignificant ? [part] : part.Methods.Where(method => method.StandsOut).Select(method => method.AsPart())
                    )
                    .Where(part => Math.Abs(part.DifferenceMs) >= MinShare * Math.Abs(DifferenceMs))
                    .OrderByDescending(part => Math.Abs(part.DifferenceMs))
            )
            {
                if (shown.Count > 0 && Math.Abs(left) < MinShare * Math.Abs(DifferenceMs))
                    break;
                shown.Add(part);
                left -= part.DifferenceMs;
            }

            return shown;
        }
    }

    /// <summary>Ratio of the other side to base; null when base took no time.</summary>
    public double? Ratio => BaselineMs > 0 ? OtherMs / BaselineMs : null;

    /// <summary>The difference without some causes; null without CPU samples on both sides.</summary>
    /// <param name="groups">Groups of causes.</param>
    public FactoredDifference? Without(IReadOnlyList<string> groups)
    {
        var parts = Parts.ToLookup(part => groups.Contains(part.Name));
        return !HasCauses || groups.Count == 0
            ? null
            : new FactoredDifference(
                this,
                this with
                {
                    BaselineMs = BaselineMs - parts[true].Sum(part => part.BaselineMs),
                    OtherMs = OtherMs - parts[true].Sum(part => part.OtherMs),
                    Parts = [.. parts[false]],
                }
            );
    }

    /// <summary>Difference not explained by the shown parts, in ms per run.</summary>
    public double RestMs => DifferenceMs - Shown.Sum(part => part.DifferenceMs);

    private const double MinShare = 0.05;
}

/// <summary>
/// A difference from which causes are subtracted. The subtracted and the remaining part add up to the whole, because all are means over the
/// same runs.
/// </summary>
/// <param name="Whole">The whole difference.</param>
/// <param name="Remaining">The difference without the causes.</param>
public sealed record FactoredDifference(Explanation Whole, Explanation Remaining)
{
    /// <summary>
    /// Share of the difference that remains, in %; below 0 if the causes differ by more than the whole. Null without a difference.
    /// </summary>
    public double? RemainingPercent => Whole.DifferenceMs != 0 ? Remaining.DifferenceMs / Whole.DifferenceMs * 100 : null;

    /// <summary>Share of the difference that the causes explain, in %.</summary>
    public double? ExplainedPercent => 100 - RemainingPercent;
}

/// <summary>Contribution of one cause to the difference of two sides. Means over the runs, in ms per run.</summary>
/// <param name="Name">Cause, or activity of the measuring thread: <c>Reflection Set</c>, <c>Own code</c>, <c>Waiting</c>.</param>
/// <param name="BaselineMs">Time of base.</param>
/// <param name="OtherMs">Time of the other side.</param>
/// <param name="ErrorMs">Standard error of the difference due to sampling; 0 for parts without samples.</param>
public sealed record ExplainedPart(string Name, double BaselineMs, double OtherMs, double ErrorMs)
{
    /// <summary>Difference: other minus base.</summary>
    public double DifferenceMs => OtherMs - BaselineMs;

    /// <summary>Whether the difference exceeds the sampling error: two standard errors.</summary>
    public bool IsSignificant => Math.Abs(DifferenceMs) > 2 * ErrorMs;

    /// <summary>Methods that contribute to the difference, largest first; empty when methods were not read.</summary>
    public IReadOnlyList<ExplainedMethod> Methods { get; init; } = [];
}

/// <summary>
/// Contribution of one method to the difference of two sides: a method at which a cause begins, or a leaf method of own code. Means in ms
/// per run.
/// </summary>
/// <param name="Method">The method.</param>
/// <param name="BaselineMs">Time of base.</param>
/// <param name="OtherMs">Time of the other side.</param>
/// <param name="ErrorMs">Standard error of the difference due to sampling.</param>
public sealed partial record ExplainedMethod(MethodName Method, double BaselineMs, double OtherMs, double ErrorMs)
{
    private static readonly Regex s_typeArguments = TypeArguments();

    /// <summary>Difference: other minus base.</summary>
    public double DifferenceMs => OtherMs - BaselineMs;

    /// <summary>Whether the difference exceeds the sampling error: two standard errors.</summary>
    public bool IsSignificant => Math.Abs(DifferenceMs) > 2 * ErrorMs;

    /// <summary>Whether it does so even among the many methods compared: three and a half standard errors.</summary>
    public bool StandsOut => Math.Abs(DifferenceMs) > 3.5 * ErrorMs;

    /// <summary>Returns the method as a part of the difference.</summary>
    public ExplainedPart AsPart() => new(ShortName, BaselineMs, OtherMs, ErrorMs);

    /// <summary>Type and method without namespace and type arguments: <c>FieldInfo.SetValue</c>.</summary>
    public string ShortName
    {
        get
        {
            var name = Method.Name;
            var member = LastDot(name, name.Length);
            if (member > 0 && name[member - 1] == '.')
                member--; // for a constructor, ..ctor
            var type = member > 0 ? LastDot(name, member) : -1;
            return s_typeArguments.Replace(type >= 0 ? name[(type + 1)..] : name, "");
        }
    }

    /// <summary>Index of the last dot before <paramref name="end"/> between names, not inside type arguments; -1 for none.</summary>
    private static int LastDot(string name, int end)
    {
        var depth = 0;
        for (var i = end - 1; i >= 0; i--)
        {
            depth += name[i] switch
            {
                ']' or '>' or ')' => 1,
                '[' or '<' or '(' => -1,
                _ => 0,
            };
            if (name[i] == '.' && depth == 0)
                return i;
        }

        return -1;
    }

    /// <summary>Number and list of a type's arguments: <c>`1[System.__Canon]</c>.</summary>
    [GeneratedRegex(@"`\d+(\[.*?\](?=\.|$))?", RegexOptions.CultureInvariant)]
    private static partial Regex TypeArguments();
}
