using System.Text;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Writes to a terminal and goes on when the terminal is closed: a write then fails with EIO, and a recording has to be ended all the same.</summary>
/// <param name="terminal">Writes to the terminal.</param>
internal sealed class ClosableTerminalWriter(TextWriter terminal) : TextWriter
{
    private bool _isClosed;

    public override Encoding Encoding => terminal.Encoding;

    /// <summary>Puts a writer before the standard streams that are terminals. A file or a pipe that cannot be written remains an error.</summary>
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
