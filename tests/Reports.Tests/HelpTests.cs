using System.CommandLine;
using EtwSerializerProfiler.Analyzer.Commands;
using EtwSerializerProfiler.CommandLine.Help;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>Help of esp-analyze: complete, readable, with examples that the tool understands.</summary>
public sealed class HelpTests
{
    public static TheoryData<string> Commands =>
        ["", .. RootCommandFactory.Create().Subcommands.Where(command => !command.Hidden).Select(command => command.Name)];

    [Theory]
    [MemberData(nameof(Commands))]
    public void Every_command_has_examples_that_it_understands(string name)
    {
        var root = RootCommandFactory.Create();
        Command command = name.Length == 0 ? root : root.Subcommands.Single(item => item.Name == name);
        var examples = HelpNotes.ExamplesOf(command);

        Assert.InRange(examples.Count, 2, 4);
        foreach (var example in examples)
        {
            Assert.True(example.Answers.Length is > 10 and < 120, example.Answers);
            var words = example.Line.Split('>')[0].TrimEnd().Split(' ');
            Assert.Equal("esp-analyze", words[0]);

            // Files of the examples are not here.
            var errors = RootCommandFactory
                .Create()
                .Parse(words[1..])
                .Errors.Where(error => !error.Message.Contains("there is no 'C:\\Symbols'", StringComparison.Ordinal));
            Assert.True(!errors.Any(), $"{example.Line}: {string.Join("; ", errors.Select(error => error.Message))}");
            Assert.Equal(
                name.Length == 0 ? root.Subcommands.FirstOrDefault(item => item.Name == words[1])?.Name ?? root.Name : name,
                RootCommandFactory.Create().Parse(words[1..]).CommandResult.Command.Name
            );
        }
    }

    [Theory]
    [MemberData(nameof(Commands))]
    public void Help_is_readable(string name)
    {
        var (code, output, error) = Run([.. name.Split(' ', StringSplitOptions.RemoveEmptyEntries), "--help"]);

        Assert.Equal((0, ""), (code, error));
        Assert.All(
            output.Split('\n').Where(line => !line.StartsWith("  esp-", StringComparison.Ordinal)),
            line => Assert.True(line.TrimEnd().Length <= HelpWriterAction.WidthOfFiles, line)
        );
        Assert.Contains($"{Environment.NewLine}Examples:{Environment.NewLine}", output, StringComparison.Ordinal);
        Snapshot.Matches("Reports.Tests", $"help-{(name.Length == 0 ? "root" : name)}", output.ReplaceLineEndings("\n"));
    }

    [Fact]
    public void A_narrow_terminal_has_narrow_lines()
    {
        using var output = new StringWriter();
        RootCommandFactory.Run(["causes", "--help"], new InvocationConfiguration { Output = output }, () => 60);

        Assert.All(
            output
                .ToString()
                .Split('\n')
                .Where(line => !line.StartsWith("  ", StringComparison.Ordinal) || line.StartsWith("   ", StringComparison.Ordinal)),
            line => Assert.True(line.TrimEnd().Length <= 60, line)
        );
    }

    [Fact]
    public void Version_is_one_line_with_runtime_and_system() =>
        Assert.Matches(@"^esp-analyze \d+\.\d+\.\d+\S*, \.NET \d+[^,]*, .+ \(\S+\)\r?\n$", Run("--version").Output);
}
