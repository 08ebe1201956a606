using System.Text;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>
/// Writes HTML that is also well-formed XML: elements nest, texts and values are escaped, and invalid characters become U+FFFD.
/// </summary>
/// <param name="output">Receives the output.</param>
internal sealed class HtmlWriter(TextWriter output)
{
    private readonly Stack<string> _open = new();

    /// <summary>Opens an element.</summary>
    /// <param name="tag">Its name.</param>
    /// <param name="attributes">Its attributes; those with null are omitted.</param>
    public HtmlWriter Open(string tag, params ReadOnlySpan<(string Name, string? Value)> attributes)
    {
        Start(tag, attributes);
        output.Write('>');
        _open.Push(tag);
        return this;
    }

    /// <summary>Writes an element without content, and without end tag in HTML: <c>br</c>, <c>meta</c>, <c>input</c>; any in SVG.</summary>
    /// <inheritdoc cref="Open"/>
    public HtmlWriter Void(string tag, params ReadOnlySpan<(string Name, string? Value)> attributes)
    {
        Start(tag, attributes);
        output.Write("/>");
        return this;
    }

    /// <summary>Writes an element with text.</summary>
    /// <param name="tag">Its name.</param>
    /// <param name="text">The text.</param>
    /// <param name="attributes">Its attributes; those with null are omitted.</param>
    public HtmlWriter Element(string tag, string text, params ReadOnlySpan<(string Name, string? Value)> attributes) =>
        Open(tag, attributes).Text(text).Close();

    /// <summary>Writes text.</summary>
    public HtmlWriter Text(string text)
    {
        output.Write(Escape(text));
        return this;
    }

    /// <summary>Closes the innermost element.</summary>
    public HtmlWriter Close()
    {
        output.Write("</");
        output.Write(_open.Pop());
        output.Write('>');
        return this;
    }

    /// <summary>Writes a line end, for readers of the source.</summary>
    public HtmlWriter Line()
    {
        output.Write('\n');
        return this;
    }

    /// <summary>
    /// Writes a style sheet or script of this library. The code must not contain the end of a CDATA section or of its element.
    /// </summary>
    public HtmlWriter Code(string tag, string code, params ReadOnlySpan<(string Name, string? Value)> attributes)
    {
        Open(tag, attributes);
        output.Write(tag == "style" ? "/*<![CDATA[*/\n" : "//<![CDATA[\n");
        output.Write(code);
        output.Write(tag == "style" ? "\n/*]]>*/" : "\n//]]>");
        return Close();
    }

    /// <summary>Writes data for the script: JSON in which all special characters of HTML are escaped.</summary>
    public HtmlWriter Data(string id, string json)
    {
        Open("script", ("type", "application/json"), ("id", id));
        output.Write(json);
        return Close();
    }

    /// <summary>Escapes text for HTML.</summary>
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

    private static bool IsAllowed(char character) =>
        character
            is '\t'
                or '\n'
                or '\r'
                or (>= ' ' and not (>= '\uD800' and <= '\uDFFF') and not ('\uFFFE' or '\uFFFF') and not (>= '\u007F' and <= '\u009F'));

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
