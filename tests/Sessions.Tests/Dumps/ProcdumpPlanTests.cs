using EtwSerializerProfiler.Sessions.Dumps;

namespace EtwSerializerProfiler.Sessions.Tests.Dumps;

public class ProcdumpPlanTests
{
    [Theory]
    [InlineData("System.FormatException", DumpKind.Full, "4711", "procdump -accepteula -ma -n 1 -e 1 -f System.FormatException 4711 C:\\d")]
    [InlineData(
        "System.FormatException~no number",
        DumpKind.Heap,
        "My App.exe",
        "procdump -accepteula -mp -n 1 -e 1 -f \"System.FormatException*no number\" -w \"My App.exe\" C:\\d"
    )]
    [InlineData("FormatException:2", DumpKind.Mini, "a.exe", "procdump -accepteula -mm -n 2 -e 1 -f FormatException -w a.exe C:\\d")]
    [InlineData("FormatException:200", DumpKind.Mini, "a.exe", "procdump -accepteula -mm -n 3 -e 1 -f FormatException -w a.exe C:\\d")]
    [InlineData("memory>500.5", DumpKind.Full, "a.exe", "procdump -accepteula -ma -n 1 -m 501 -w a.exe C:\\d")]
    public void Triggers_become_commands(string trigger, DumpKind kind, string process, string expected) =>
        Assert.Equal(
            expected,
            ProcdumpPlan.Command(Plan(trigger) with { Kind = kind }, Plan(trigger).Triggers[0], process, "C:\\d")!.ToString()
        );

    [Fact]
    public void What_it_cannot_wait_for_is_said()
    {
        var lines = ProcdumpPlan.Describe(Plan("gc-pause>5", "hang>5", "memory>5", "A.B:2"), "a.exe", "d").ToList();

        Assert.Equal("no dump at gc-pause>5: procdump cannot wait for GC pauses", lines[0]);
        Assert.Equal("no dump at hang>5: procdump detects only hanging windows (-h)", lines[1]);
        Assert.EndsWith("(committed memory, not resident)", lines[2], StringComparison.Ordinal);
        Assert.EndsWith(
            "(also at the throws before it, because procdump counts only throws with a dump)",
            lines[3],
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void The_script_has_its_arguments_in_the_command() =>
        Assert.Contains(
            "\r\nprocdump -accepteula -mp -n %COUNT% -e 1 -f \"%~1\" %WAIT% \"%~2\" \"%OUT%\"\r\n",
            ProcdumpPlan.Script().Text,
            StringComparison.Ordinal
        );

    private static DumpPlan Plan(params string[] triggers) =>
        new()
        {
            Triggers =
            [
                .. triggers.Select(text =>
                    DumpTrigger.TryParse(text, out var trigger, out var error) ? trigger! : throw new ArgumentException(error)
                ),
            ],
        };
}
