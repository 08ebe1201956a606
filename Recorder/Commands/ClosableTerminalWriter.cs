using System.Text;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>
/// Writes to a terminal and carries on after the terminal is closed: writes then fail with EIO, but the recording still has to end
/// properly.
/// </summary>
/// <param name="terminal">Writer of the terminal.</param>
internal sealed class ClosableTerminalWriter(TextWriter terminal) : TextWriter
{
    private bool _isClosed;

    public override Encoding Encoding => terminal.Encoding;

    /// <summary>Wraps the standard streams that are terminals. An unwritable file or pipe remains an error.</summary>
    public static void Use()
    {
        if (!Console.IsOutputRedirected)
            Console.SetOut(Synchronized(new ClosableTerminalWriter(Console.Out)));
        if (!Console.IsErrorRedirected)
            Console.SetError(Synchronized(new ClosableTerminalWriter(Console.Error)));
    }

    public override void Write(char value) => Write([value]);

    public override void Write(char[] buffer, int index, int count) => Write(buffer.AsSpan(index, count));

    public override void Write(string? value) => Write(value.AsSpan());

    public override void WriteLine(string? value) => Write(value + CoreNewLine.AsSpan().ToString());

    public override void Write(ReadOnlySpan<char> buffer)
    {
        if (_isClosed)
            return;
        try
        {
            terminal.Write(buffer);
        }
        catch (IOException)
        {
            _isClosed = true;
        }
    }
}
