using System.Text;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Writes HTML that is well-formed XML, too: elements nest, all texts and values are escaped, characters that no document may hold become U+FFFD.</summary>
/// <param name="output">Where it goes.</param>
internal sealed class HtmlWriter(TextWriter output)
{
    private readonly Stack<string> _open = new();

    /// <summary>Begins an element.</summary>
    /// <param name="tag">Its name.</param>
    /// <param name="attributes">Its attributes; those without a value are left out.</param>
    public HtmlWriter Open(string tag, params ReadOnlySpan<(string Name, string? Value)> attributes)
    {
        Start(tag, attributes);
        output.Write('>');
        _open.Push(tag);
        return this;
    }

    /// <summary>An element that has no content, and no end in HTML: <c>br</c>, <c>meta</c>, <c>input</c>; of SVG any.</summary>
    /// <inheritdoc cref="Open"/>
    public HtmlWriter Void(string tag, params ReadOnlySpan<(string Name, string? Value)> attributes)
    {
        Start(tag, attributes);
        output.Write("/>");
        return this;
    }

    /// <summary>An element with a text.</summary>
    /// <param name="tag">Its name.</param>
    /// <param name="text">The text.</param>
    /// <param name="attributes">Its attributes; those without a value are left out.</param>
    public HtmlWriter Element(string tag, string text, params ReadOnlySpan<(string Name, string? Value)> attributes) => Open(tag, attributes).Text(text).Close();

    /// <summary>A text.</summary>
    public HtmlWriter Text(string text)
    {
        output.Write(Escape(text));
        return this;
    }

    /// <summary>Ends the element that was begun last.</summary>
    public HtmlWriter Close()
    {
        output.Write("</");
        output.Write(_open.Pop());
        output.Write('>');
        return this;
    }

    /// <summary>A line end, for those who look at the source.</summary>
    public HtmlWriter Line()
    {
        output.Write('\n');
        return this;
    }

    /// <summary>A style sheet or script of this library. What is written must not hold the end of a CDATA section or of its element.</summary>
    public HtmlWriter Code(string tag, string code, params ReadOnlySpan<(string Name, string? Value)> attributes)
    {
        Open(tag, attributes);
        output.Write(tag == "style" ? "/*<![CDATA[*/\n" : "//<![CDATA[\n");
        output.Write(code);
        output.Write(tag == "style" ? "\n/*]]>*/" : "\n//]]>");
        return Close();
    }

    /// <summary>Data for the script: JSON whose writer has escaped every character that means something in HTML.</summary>
    public HtmlWriter Data(string id, string json)
    {
        Open("script", ("type", "application/json"), ("id", id));
        output.Write(json);
        return Close();
    }

    /// <summary>The text as HTML.</summary>
    public static string Escape(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var escaped = new StringBuilder(text.Length + 16);
        for (var i = 0; i < text.Length; i++)
        {
            var character = text[i];
            if (char.IsHighSurrogate(character) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]))
            {
                escaped.Append(character).Append(text[++i]);
                continue;
            }

            _ = character switch
            {
                '<' => escaped.Append("&lt;"),
                '>' => escaped.Append("&gt;"),
                '&' => escaped.Append("&amp;"),
                '"' => escaped.Append("&quot;"),
                '\'' => escaped.Append("&#39;"),
                _ => escaped.Append(IsAllowed(character) ? character : '\uFFFD'),
            };
        }

        return escaped.ToString();
    }

    private static bool IsAllowed(char character) => character is '\t' or '\n' or '\r' or (>= ' ' and not (>= '\uD800' and <= '\uDFFF') and not ('\uFFFE' or '\uFFFF') and not (>= '\u007F' and <= '\u009F'));

    private void Start(string tag, ReadOnlySpan<(string Name, string? Value)> attributes)
    {
        output.Write('<');
        output.Write(tag);
        foreach (var (name, value) in attributes)
        {
            if (value is null)
                continue;
            output.Write(' ');
            output.Write(name);
            output.Write("=\"");
            output.Write(Escape(value));
            output.Write('"');
        }
    }
}
