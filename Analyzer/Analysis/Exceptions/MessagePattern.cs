using System.Buffers;

namespace EtwSerializerProfiler.Analysis.Exceptions;

/// <summary>
/// Finds the pattern of messages: placeholders replace values, so that <c>'abc' at line 12</c> and <c>'xyz' at line 7</c> share a row.
/// Works in one buffer without allocation; reads the first <see cref="MaxMessageLength"/> characters and writes at most
/// <see cref="MaxPatternLength"/>.
/// </summary>
/// <remarks>
/// <para>From left to right, in this order: a GUID (8-4-4-4-12 hexadecimal digits) becomes <c>{guid}</c>; text between quotes (' " ` and
/// the typographic ones) becomes <c>{value}</c> and keeps its quotes; a path (<c>C:\…</c>, <c>\\server…</c>, <c>/a/b</c>,
/// <c>scheme://…</c>) becomes <c>{path}</c> up to the next blank; a number (with sign, separators, exponent; hexadecimal after 0x, or 8 or
/// more hexadecimal digits with at least one decimal digit) becomes <c>{n}</c>.</para>
/// <para>
/// Digits after a letter belong to a name (Int32, UTF8) and stay, as does an apostrophe (don't). White space becomes one blank.
/// </para>
/// </remarks>
internal sealed class MessagePattern
{
    /// <summary>Maximum number of characters read from a message.</summary>
    public const int MaxMessageLength = 1000;

    /// <summary>Maximum length of a pattern; a cut one ends with an ellipsis.</summary>
    public const int MaxPatternLength = 200;

    private const string Number = "{n}";
    private const int GuidLength = 36;

    /// <summary>Minimum number of hexadecimal digits without 0x that form a number.</summary>
    private const int MinHexDigits = 8;

    /// <summary>Maximum number of letters after a number that are its unit: 5ms, 3rd.</summary>
    private const int MaxUnitLength = 3;

    private static readonly SearchValues<char> s_pathEnds = SearchValues.Create(" \t\r\n\"'<>|");
    private static readonly SearchValues<char> s_letters = SearchValues.Create("abcdefghijklmnopqrstuvwxyz");
    private static readonly SearchValues<char> s_digits = SearchValues.Create("0123456789");
    private static readonly SearchValues<char> s_hexDigits = SearchValues.Create("0123456789abcdefABCDEF");

    private readonly char[] _pattern = new char[MaxPatternLength + 1];
    private int _length;
    private bool _isCut;

    /// <summary>The pattern of a message; valid until the next call.</summary>
    public ReadOnlySpan<char> Of(ReadOnlySpan<char> message)
    {
        var text = message.Length <= MaxMessageLength ? message : message[..MaxMessageLength];
        var isWhole = text.Length == message.Length;
        (_length, _isCut) = (0, false);
        var unclosed = 0;
        for (var at = 0; at < text.Length && !_isCut;)
            at = Step(text, at, ref unclosed);
        while (_length > 0 && _pattern[_length - 1] == ' ')
            _length--;
        if (_isCut || !isWhole)
            _pattern[_length++] = '…';
        return _pattern.AsSpan(0, _length);
    }

    /// <summary>Appends the replacement for the text at a position.</summary>
    /// <param name="text">The message.</param>
    /// <param name="at">The position.</param>
    /// <param name="unclosed">Bit n: quotes of kind n have no closing quote from here on.</param>
    /// <returns>The position after the replaced text.</returns>
    private int Step(ReadOnlySpan<char> text, int at, ref int unclosed)
    {
        var first = text[at];
        if (char.IsWhiteSpace(first) || char.IsControl(first))
        {
            if (_length > 0 && _pattern[_length - 1] != ' ')
                Append(' ');
            return at + 1;
        }

        // Nothing starts inside a word.
        if (at > 0 && IsWord(text[at - 1]) && (IsWord(first) || QuoteKind(first) >= 0))
        {
            Append(first);
            return at + 1;
        }

        var rest = text[at..];
        if (IsGuid(rest))
            return Replace("{guid}", at + GuidLength);
        if (QuoteKind(first) is >= 0 and var kind && (unclosed >> kind & 1) == 0)
        {
            if (ClosingQuote(rest, first) is > 0 and var closing)
            {
                Append(first);
                Append("{value}");
                Append(rest[closing]);
                return at + closing + 1;
            }

            unclosed |= 1 << kind;
        }

        if (PathLength(rest) is > 0 and var path)
            return Replace("{path}", at + path);
        if (NumberLength(rest) is > 0 and var number)
            return Replace(Number, at + number);
        Append(first);
        return at + 1;
    }

    private int Replace(string placeholder, int next)
    {
        Append(placeholder);
        return next;
    }

    private void Append(ReadOnlySpan<char> text)
    {
        foreach (var character in text)
            Append(character);
    }

    private void Append(char character)
    {
        if (_length < MaxPatternLength)
            _pattern[_length++] = character;
        else
            _isCut = true;
    }

    private static bool IsWord(char character) => char.IsLetterOrDigit(character) || character == '_';

    /// <summary>The kind of an opening quote; -1 for other characters.</summary>
    private static int QuoteKind(char character) => "'\"`“‘„«".IndexOf(character, StringComparison.Ordinal);

    /// <summary>Position of the quote that closes the first one: no letter or digit follows it. 0 for none.</summary>
    private static int ClosingQuote(ReadOnlySpan<char> text, char opening)
    {
        var closing = opening switch
        {
            '“' or '„' => '”',
            '‘' => '’',
            '«' => '»',
            _ => opening,
        };
        for (var i = 1; i < text.Length; i++)
        {
            if (text[i] == closing && (i + 1 == text.Length || !IsWord(text[i + 1])))
                return i;
        }

        return 0;
    }

    private static bool IsGuid(ReadOnlySpan<char> text)
    {
        if (text.Length < GuidLength || (text.Length > GuidLength && IsWord(text[GuidLength])))
            return false;
        for (var i = 0; i < GuidLength; i++)
        {
            if (i is 8 or 13 or 18 or 23 ? text[i] != '-' : !char.IsAsciiHexDigit(text[i]))
                return false;
        }

        return true;
    }

    /// <summary>Length of the path or address at the start of a text; 0 for none.</summary>
    private static int PathLength(ReadOnlySpan<char> text)
    {
        var end = text.IndexOfAny(s_pathEnds);
        var word = (end < 0 ? text : text[..end]).TrimEnd(".,;:!?)]}");
        var isPath =
            (word.Length > 3 && char.IsAsciiLetter(word[0]) && word[1] == ':' && word[2] is '\\' or '/')
            || (word.Length > 2 && word.StartsWith(@"\\", StringComparison.Ordinal) && IsWord(word[2]))
            || (word.Length > 3 && word[0] == '/' && (IsWord(word[1]) || word[1] == '.') && word[2..].Contains('/'))
            || (word.IndexOf("://", StringComparison.Ordinal) is > 1 and var scheme && !word[..scheme].ContainsAnyExcept(s_letters));
        return isPath ? word.Length : 0;
    }

    /// <summary>Length of the number at the start of a text; 0 for none.</summary>
    private static int NumberLength(ReadOnlySpan<char> text)
    {
        var sign = text[0] is '-' or '+' or '−' && text.Length > 1 && char.IsAsciiDigit(text[1]) ? 1 : 0;
        var digits = text[sign..];
        var word = 0;
        while (word < digits.Length && IsWord(digits[word]))
            word++;
        if (word == 0)
            return 0;
        var isHex = !digits[..word].ContainsAnyExcept(s_hexDigits);
        if (!char.IsAsciiDigit(digits[0]))
            return isHex && word >= MinHexDigits && digits[..word].ContainsAny(s_digits) ? sign + word : 0;
        if (
            (digits.StartsWith("0x", StringComparison.OrdinalIgnoreCase) && word > 2)
            || (isHex && digits[..word].ContainsAnyExcept(s_digits))
        )
            return sign + word;

        // Digits, and separators between digits: 1,234.5
        var length = 0;
        while (
            length < digits.Length
            && (
                char.IsAsciiDigit(digits[length])
                || (digits[length] is '.' or ',' && length + 1 < digits.Length && char.IsAsciiDigit(digits[length + 1]))
            )
        )
            length++;
        var letters = 0;
        while (length + letters < digits.Length && IsWord(digits[length + letters]))
            letters++;
        if (letters == 0)
            return sign + length;
        var unit = digits.Slice(length, letters);
        if (unit[0] is 'e' or 'E' && !unit[1..].ContainsAnyExcept(s_digits))
            return sign + length + letters + Exponent(digits[(length + letters)..], unit.Length);
        return letters <= MaxUnitLength && !unit.ContainsAny(s_digits) ? sign + length : sign + length + letters;
    }

    /// <summary>Length of the text after 1E: a sign and digits, when the word ended with the E.</summary>
    private static int Exponent(ReadOnlySpan<char> text, int letters)
    {
        if (letters > 1 || text.Length < 2 || text[0] is not ('+' or '-') || !char.IsAsciiDigit(text[1]))
            return 0;
        var length = 1;
        while (length < text.Length && char.IsAsciiDigit(text[length]))
            length++;
        return length;
    }
}
