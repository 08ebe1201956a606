using System.Text;

namespace EtwSerializerProfiler.Foundation.Terminals;

/// <summary>A writer with the appearance of text on its target; it removes a progress line before it writes.</summary>
/// <param name="inner">The target.</param>
/// <param name="look">Appearance of text.</param>
/// <param name="beforeWriting">Called before each write; null for nothing.</param>
public sealed class TerminalWriter(TextWriter inner, TextLook look, Action? beforeWriting = null) : TextWriter(inner.FormatProvider)
{
    /// <summary>Appearance of text.</summary>
    public TextLook Look { get; } = look;

    /// <inheritdoc/>
    public override Encoding Encoding => inner.Encoding;

    /// <inheritdoc/>
    public override void Write(char value) => Inner.Write(value);

    /// <inheritdoc/>
    public override void Write(char[] buffer, int index, int count) => Inner.Write(buffer, index, count);

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<char> buffer) => Inner.Write(buffer);

    /// <inheritdoc/>
    public override void Write(string? value) => Inner.Write(value);

    /// <inheritdoc/>
    public override void WriteLine(string? value) => Inner.WriteLine(value);

    /// <inheritdoc/>
    public override void Flush() => inner.Flush();

    private TextWriter Inner
    {
        get
        {
            beforeWriting?.Invoke();
            return inner;
        }
    }
}
