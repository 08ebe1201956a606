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

    /// <summary>The difference without some causes; null without CPU samples on both sides.</summary>
    /// <param name="groups">Groups of causes.</param>
    public FactoredDifference? Without(IReadOnlyList<string> groups)
    {
        var parts = Parts.Where(part => groups.Contains(part.Name)).ToList();
        return HasCauses && groups.Count > 0 ? new FactoredDifference(this, parts.Sum(part => part.BaselineMs), parts.Sum(part => part.OtherMs)) : null;
    }

    /// <summary>What the shown parts leave over, in ms a run.</summary>
    public double RestMs => DifferenceMs - Shown.Sum(part => part.DifferenceMs);

    /// <summary>The rest as a share of the difference in %; null without a difference.</summary>
    public double? RestPercent => DifferenceMs != 0 ? Math.Abs(RestMs / DifferenceMs) * 100 : null;

    private const double SmallestShare = 0.05;
}

/// <summary>A difference from which causes are taken off. Means over the runs that <see cref="Explanation"/> takes apart, so that what is taken off and what remains add up to it.</summary>
/// <param name="Whole">The whole difference.</param>
/// <param name="BaselineCausesMs">Time of the causes on the first side, in ms a run.</param>
/// <param name="OtherCausesMs">Time of the causes on the other side.</param>
public sealed record FactoredDifference(Explanation Whole, double BaselineCausesMs, double OtherCausesMs)
{
    /// <summary>The first side without the causes, in ms a run.</summary>
    public double BaselineMs => Whole.BaselineMs - BaselineCausesMs;

    /// <summary>The other side without them.</summary>
    public double OtherMs => Whole.OtherMs - OtherCausesMs;

    /// <summary>The other side to the first, with all causes; null when the first took no time.</summary>
    public double? Ratio => Whole.BaselineMs > 0 ? Whole.OtherMs / Whole.BaselineMs : null;

    /// <summary>The same without the causes.</summary>
    public double? RemainingRatio => BaselineMs > 0 ? OtherMs / BaselineMs : null;

    /// <summary>Share of the difference that the causes make up, in %: over 100 where they differ by more than the whole; null without a difference.</summary>
    public double? ExplainedPercent => Whole.DifferenceMs != 0 ? (OtherCausesMs - BaselineCausesMs) / Whole.DifferenceMs * 100 : null;

    /// <summary>Share that remains, in %.</summary>
    public double? RemainingPercent => 100 - ExplainedPercent;
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
