using System.Text;

namespace EtwSerializerProfiler.Recorder.Commands.Guides;

/// <summary>Writes to two writers.</summary>
/// <param name="first">One writer.</param>
/// <param name="second">The other one; null for none.</param>
internal sealed class TeeWriter(TextWriter first, TextWriter? second) : TextWriter
{
    private readonly Lock _lock = new();

    /// <inheritdoc />
    public override Encoding Encoding => first.Encoding;

    /// <inheritdoc />
    public override void Write(char value)
    {
        lock (_lock)
        {
            first.Write(value);
            second?.Write(value);
        }
    }

    /// <inheritdoc />
    public override void Write(string? value)
    {
        lock (_lock)
        {
            first.Write(value);
            second?.Write(value);
        }
    }

    /// <inheritdoc />
    public override void Flush() => second?.Flush();
}
