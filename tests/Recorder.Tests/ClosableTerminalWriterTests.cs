using System.Text;
using EtwSerializerProfiler.Recorder.Commands;

namespace EtwSerializerProfiler.Recorder.Tests;

public sealed class ClosableTerminalWriterTests
{
    [Fact]
    public void What_is_written_to_a_closed_terminal_is_lost_and_no_error()
    {
        var terminal = new Terminal();
        using var writer = new ClosableTerminalWriter(terminal);
        writer.WriteLine("shown");
        terminal.IsClosed = true;

        writer.WriteLine("lost");
        writer.Write('x');
        writer.Write($"{1} {2}");
        writer.WriteLine();

        Assert.Equal("shown" + Environment.NewLine, terminal.Shown.ToString());
    }

    /// <summary>A write to a terminal that was closed fails with EIO, as IOException.</summary>
    private sealed class Terminal : TextWriter
    {
        public StringBuilder Shown { get; } = new();

        public bool IsClosed { get; set; }

        public override Encoding Encoding => Encoding.UTF8;

        public override void Write(char value)
        {
            if (IsClosed)
                throw new IOException("Input/output error");
            Shown.Append(value);
        }
    }
}
