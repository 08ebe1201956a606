using EtwSerializerProfiler.Foundation.Terminals;

namespace EtwSerializerProfiler.Reports.Tests.Terminals;

public sealed class TextLookTests
{
    [Theory]
    [InlineData(true, 120, "", 120, true)]
    [InlineData(true, 0, "", null, true)] // a terminal that does not say
    [InlineData(true, 10, "", 40, true)]
    [InlineData(true, 120, "NO_COLOR=1", 120, false)]
    [InlineData(true, 120, "NO_COLOR=", 120, true)] // set but empty: no-color.org
    [InlineData(true, 120, "CI=true", 120, false)]
    [InlineData(true, 120, "TERM=dumb", 120, false)]
    [InlineData(true, 120, "TERM=xterm", 120, true)]
    [InlineData(false, 120, "", null, false)]
    public void Colour_and_width_are_a_terminals_alone(bool isTerminal, int columns, string variable, int? width, bool colour)
    {
        var look = TextLook.For(
            isTerminal,
            columns,
            name => variable.StartsWith(name + "=", StringComparison.Ordinal) ? variable[(name.Length + 1)..] : null
        );

        Assert.Equal(new TextLook(width, colour), look);
    }

    [Fact]
    public void The_progress_line_is_gone_before_anything_is_written()
    {
        var screen = new StringWriter();
        var line = new StepLine(screen, isTerminal: true);
        line.Show("reading a.etl", TimeSpan.FromSeconds(1.9), "bytes", 1_000_000, 4_000_000); // too soon
        Assert.Equal("", screen.ToString());
        line.Show("reading a.etl", TimeSpan.FromSeconds(4), "bytes", 200_000_000, 300_000_000);
        Assert.Equal("\rreading a.etl: 200 of 300 MB, 50 MB/s, 2 s left", screen.ToString());

        using var output = new TerminalWriter(screen, default, line.End);
        output.WriteLine("table");
        line.Show("reading a.etl", TimeSpan.FromSeconds(5), "bytes", 250_000_000, 300_000_000); // too late

        Assert.EndsWith($" \rtable{screen.NewLine}", screen.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("analyzing", "", 0, 0, "analyzing: 4 s")]
    [InlineData("heap", "objects", 8_000_000, 10_000_000, "heap: 8000 of 10000 thousand objects, 2000 thousand objects/s, 1 s left")]
    [InlineData("reading", "bytes", 0, 10_000_000, "reading: 0 of 10 MB, 0 MB/s")]
    public void Progress_has_rate_and_time_left(string step, string unit, long done, long total, string expected) =>
        Assert.Equal(expected, StepLine.Text(step, TimeSpan.FromSeconds(4), unit, done, total));
}
