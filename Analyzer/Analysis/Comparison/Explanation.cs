using System.Text.RegularExpressions;
using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>
/// What the difference of two sides is made of. Medians cannot be taken apart, so this is about means over the runs that are compared: the mean wall time is the sum of its
/// parts, run by run, and the means of the parts add up to it.
/// </summary>
public sealed record Explanation
{
    /// <summary>Whether the parts make up CPU time of the whole process instead of wall time: of runs on several threads, and of programs that mark no runs.</summary>
    public required bool IsCpuTime { get; init; }

    /// <summary>Mean of the first side in ms a run.</summary>
    public required double BaselineMs { get; init; }

    /// <summary>Mean of the other side in ms a run.</summary>
    public required double OtherMs { get; init; }

    /// <summary>All parts that were measured, the largest difference first.</summary>
    public required IReadOnlyList<ExplainedPart> Parts { get; init; }

    /// <summary>Whether CPU samples tell causes; without them only waits and pauses are known.</summary>
    public required bool HasCauses { get; init; }

    /// <summary>The other side minus the first, in ms a run.</summary>
    public double DifferenceMs => OtherMs - BaselineMs;

    /// <summary>
    /// The parts that explain the difference, from the largest down: those that are more than sampling makes of nothing, until what is left is less than a twentieth of the
    /// difference. Of a cause that is not, a method can be: few samples of a method that the other side does not have stand out, and are lost in the many of the whole cause.
    /// </summary>
    public IReadOnlyList<ExplainedPart> Shown
    {
        get
        {
            var shown = new List<ExplainedPart>();
            var left = DifferenceMs;
            foreach (var part in Parts.SelectMany(part => part.IsSignificant ? [part] : part.Methods.Where(method => method.StandsOut).Select(method => method.AsPart()))
                .Where(part => Math.Abs(part.DifferenceMs) >= SmallestShare * Math.Abs(DifferenceMs)).OrderByDescending(part => Math.Abs(part.DifferenceMs)))
            {
                if (shown.Count > 0 && Math.Abs(left) < SmallestShare * Math.Abs(DifferenceMs))
                    break;
                shown.Add(part);
                left -= part.DifferenceMs;
            }

            return shown;
        }
    }

    /// <summary>The other side to the first; null when the first took no time.</summary>
    public double? Ratio => BaselineMs > 0 ? OtherMs / BaselineMs : null;

    /// <summary>The difference from which causes are taken off; null without CPU samples on both sides.</summary>
    /// <param name="groups">Groups of causes.</param>
    public FactoredDifference? Without(IReadOnlyList<string> groups)
    {
        var parts = Parts.ToLookup(part => groups.Contains(part.Name));
        return !HasCauses || groups.Count == 0 ? null : new FactoredDifference(this, this with
        {
            BaselineMs = BaselineMs - parts[true].Sum(part => part.BaselineMs),
            OtherMs = OtherMs - parts[true].Sum(part => part.OtherMs),
            Parts = [.. parts[false]],
        });
    }

    /// <summary>What the shown parts leave over, in ms a run.</summary>
    public double RestMs => DifferenceMs - Shown.Sum(part => part.DifferenceMs);

    private const double SmallestShare = 0.05;
}

/// <summary>A difference from which causes are taken off: what is taken off and what remains add up to the whole, as all are means over the same runs.</summary>
/// <param name="Whole">The whole difference.</param>
/// <param name="Remaining">The difference without the causes.</param>
public sealed record FactoredDifference(Explanation Whole, Explanation Remaining)
{
    /// <summary>Share of the difference that remains, in %: below 0 where the causes differ by more than the whole; null without a difference.</summary>
    public double? RemainingPercent => Whole.DifferenceMs != 0 ? Remaining.DifferenceMs / Whole.DifferenceMs * 100 : null;

    /// <summary>Share of the difference that the causes make up, in %.</summary>
    public double? ExplainedPercent => 100 - RemainingPercent;
}

/// <summary>What one cause has to do with the difference of two sides. Means over the runs, in ms a run.</summary>
/// <param name="Name">Cause, or what the measuring thread did: <c>Reflection Set</c>, <c>Own code</c>, <c>Waiting</c>.</param>
/// <param name="BaselineMs">Time of the first side.</param>
/// <param name="OtherMs">Time of the other side.</param>
/// <param name="ErrorMs">Standard error of the difference that comes from sampling; 0 of what is no sample.</param>
public sealed record ExplainedPart(string Name, double BaselineMs, double OtherMs, double ErrorMs)
{
    /// <summary>The other side minus the first.</summary>
    public double DifferenceMs => OtherMs - BaselineMs;

    /// <summary>Whether it is more than sampling makes of nothing: two standard errors.</summary>
    public bool IsSignificant => Math.Abs(DifferenceMs) > 2 * ErrorMs;

    /// <summary>Methods that the difference comes from, the largest first; empty when methods were not read.</summary>
    public IReadOnlyList<ExplainedMethod> Methods { get; init; } = [];
}

/// <summary>What one method has to do with the difference of two sides: a method with which a cause begins, or of own code one in which time was spent. Means in ms a run.</summary>
/// <param name="Method">The method.</param>
/// <param name="BaselineMs">Time of the first side.</param>
/// <param name="OtherMs">Time of the other side.</param>
/// <param name="ErrorMs">Standard error of the difference that comes from sampling.</param>
public sealed partial record ExplainedMethod(MethodName Method, double BaselineMs, double OtherMs, double ErrorMs)
{
    private static readonly Regex s_typeArguments = TypeArguments();

    /// <summary>The other side minus the first.</summary>
    public double DifferenceMs => OtherMs - BaselineMs;

    /// <summary>Whether it is more than sampling makes of nothing: two standard errors.</summary>
    public bool IsSignificant => Math.Abs(DifferenceMs) > 2 * ErrorMs;

    /// <summary>Whether it is so among many methods that were looked at: three and a half standard errors.</summary>
    public bool StandsOut => Math.Abs(DifferenceMs) > 3.5 * ErrorMs;

    /// <summary>The method as a part of the difference by itself.</summary>
    public ExplainedPart AsPart() => new(ShortName, BaselineMs, OtherMs, ErrorMs);

    /// <summary>Type and method without namespace and type arguments: <c>FieldInfo.SetValue</c>.</summary>
    public string ShortName
    {
        get
        {
            var name = Method.Name;
            var member = LastDot(name, name.Length);
            if (member > 0 && name[member - 1] == '.')
                member--; // of a constructor, ..ctor
            var type = member > 0 ? LastDot(name, member) : -1;
            return s_typeArguments.Replace(type >= 0 ? name[(type + 1)..] : name, "");
        }
    }

    /// <summary>Place of the last dot before <paramref name="end"/> that stands between names, not in a list of type arguments; -1 for none.</summary>
    private static int LastDot(string name, int end)
    {
        var depth = 0;
        for (var i = end - 1; i >= 0; i--)
        {
            depth += name[i] switch { ']' or '>' or ')' => 1, '[' or '<' or '(' => -1, _ => 0 };
            if (name[i] == '.' && depth == 0)
                return i;
        }

        return -1;
    }

    /// <summary>The count of a type's parameters and their list: <c>`1[System.__Canon]</c>.</summary>
    [GeneratedRegex(@"`\d+(\[.*?\](?=\.|$))?", RegexOptions.CultureInvariant)]
    private static partial Regex TypeArguments();
}
