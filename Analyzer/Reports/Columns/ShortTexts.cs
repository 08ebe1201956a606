using System.Text;
using EtwSerializerProfiler.Reports.Writers;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Texts made short for a narrow column, so that they still say what matters.</summary>
internal static class ShortTexts
{
    private const char Ellipsis = '…';

    /// <summary>Stands between a method and its line, which stays.</summary>
    private const string At = " at ";

    /// <summary>Minimum length at which a name is still informative.</summary>
    private const int MinNameLength = 12;

    /// <summary>Cuts the end: of source code.</summary>
    public static string CutEnd(string text, int length) =>
        text.Length <= length ? text : string.Concat(text.AsSpan(0, length - 1), [Ellipsis]);

    /// <summary>
    /// The name of a method without as much of its namespace as must go, then without type arguments, at last without the middle of what is
    /// left.
    /// </summary>
    /// <param name="name">Full name: types nested by '+', type arguments in brackets, then the method.</param>
    /// <param name="length">Limit in characters.</param>
    public static string Method(string name, int length)
    {
        if (name.Length <= length)
            return name;
        if (name.IndexOf(At, StringComparison.Ordinal) is > 0 and var line)
            return Method(name[..line], Math.Max(length - (name.Length - line), MinNameLength)) + name[line..];
        var bare = WithoutArguments(name);
        foreach (var text in (string[])[name, bare])
        {
            if (text.Length <= length)
                return text;
            var begins = Segments(text);

            // The type and the method are the last two.
            for (var i = 1; i < begins.Count - 1; i++)
            {
                if (text.Length - begins[i] < length)
                    return string.Concat([Ellipsis], text.AsSpan(begins[i]));
            }
        }

        return TableLayout.Shorten(Segments(bare) is [.., var type, _] ? bare[type..] : bare, length);
    }

    /// <summary>An ellipsis in the place of each list of type arguments.</summary>
    private static string WithoutArguments(string name)
    {
        var text = new StringBuilder();
        var depth = 0;
        foreach (var (place, character) in name.Index())
        {
            depth -= character == ']' && depth > 0 ? 1 : 0;
            if (depth == 0)
                text.Append(character);

            // After a blank it is a mark of a report: [inlined].
            if (character == '[' && (depth > 0 || place == 0 || name[place - 1] != ' ') && depth++ == 0)
                text.Append(Ellipsis);
        }

        return text.ToString();
    }

    /// <summary>Where the names between dots begin; dots in brackets and those of <c>.ctor</c> part nothing.</summary>
    private static List<int> Segments(string name)
    {
        List<int> begins = [0];
        var depth = 0;
        for (var i = 0; i < name.Length; i++)
        {
            depth += name[i] switch
            {
                '[' or '<' or '(' => 1,
                ']' or '>' or ')' => -1,
                _ => 0,
            };
            if (name[i] == '.' && depth <= 0 && i > 0 && name[i - 1] != '.')
                begins.Add(i + 1);
        }

        return begins;
    }
}
