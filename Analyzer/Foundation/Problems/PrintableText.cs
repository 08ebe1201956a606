using System.Globalization;
using System.Text;

namespace EtwSerializerProfiler.Foundation.Problems;

/// <summary>Makes text from traces and files fit for a terminal. A control character could move its cursor or hide what follows, and table layouts fail at characters that Unicode does not assign.</summary>
public static class PrintableText
{
    /// <summary>Returns the text with every character that has no glyph written as its C# escape: <c>\n</c>, <c>\u001B</c>, <c>\uFFFF</c>. Text without such characters comes back as it is.</summary>
    public static string Of(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        StringBuilder? escaped = null;
        for (var at = 0; at < text.Length;)
        {
            var isCharacter = Rune.TryGetRuneAt(text, at, out var character);
            var length = isCharacter ? character.Utf16SequenceLength : 1;
            if (!isCharacter || !HasGlyph(character))
                (escaped ??= new StringBuilder(text, 0, at, text.Length + 16)).Append(Escape(isCharacter ? character.Value : text[at]));
            else
                escaped?.Append(text, at, length);
            at += length;
        }

        return escaped?.ToString() ?? text;
    }

    private static bool HasGlyph(Rune character) =>
        Rune.GetUnicodeCategory(character) is not (UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator or UnicodeCategory.OtherNotAssigned);

    private static string Escape(int character) => character switch
    {
        '\t' => @"\t",
        '\n' => @"\n",
        '\r' => @"\r",
        <= char.MaxValue => $@"\u{character:X4}",
        _ => $@"\U{character:X8}",
    };
}
