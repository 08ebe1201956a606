using System.Text.RegularExpressions;
using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Analysis.Comparison;

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
