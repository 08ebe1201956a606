using System.Globalization;
using System.Text;

namespace EtwSerializerProfiler.Foundation.Problems;

/// <summary>
/// Makes text from traces and files safe for terminals. Control characters could move the cursor or hide text, and table layouts fail at
/// characters that Unicode does not assign.
/// </summary>
public static class PrintableText
{
    /// <summary>
    /// Replaces every character without a glyph by its C# escape: <c>\n</c>, <c>\u001B</c>, <c>\uFFFF</c>. Returns other text unchanged.
    /// </summary>
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
        Rune.GetUnicodeCategory(character)
            is not (
                UnicodeCategory.Control
                or UnicodeCategory.Format
                or UnicodeCategory.LineSeparator
                or UnicodeCategory.ParagraphSeparator
                or UnicodeCategory.OtherNotAssigned
            );

    private static string Escape(int character) =>
        character switch
        {
            '\t' => @"\t",
            '\n' => @"\n",
            '\r' => @"\r",
            <= char.MaxValue => $@"\u{character:X4}",
            _ => $@"\U{character:X8}",
        };
}
