using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Recorder.Commands;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Help of esp-record: complete, readable, with examples that the tool understands.</summary>
public sealed class HelpTests
{
    public static TheoryData<string> Commands =>
        ["", .. EspRecord.Create([]).Subcommands.Where(command => !command.Hidden).Select(command => command.Name)];

    [Theory]
    [MemberData(nameof(Commands))]
    public void Every_command_has_examples_that_it_understands(string name)
    {
        var root = EspRecord.Create([]);
        var examples = HelpNotes.ExamplesOf(name.Length == 0 ? root : root.Subcommands.Single(item => item.Name == name));

        Assert.InRange(examples.Count, 2, 4);
        foreach (var example in examples)
        {
            Assert.True(example.Answers.Length is > 10 and < 130, example.Answers);
            var words = example.Line.Split(" >")[0].Split(' ').SkipWhile(word => word.Contains('=', StringComparison.Ordinal)).ToArray();
            Assert.Equal("esp-record", words[0]);
            var parsed = EspRecord.Parse(words[1..], out _);
            Assert.True(parsed.Errors.Count == 0, $"{example.Line}: {string.Join("; ", parsed.Errors.Select(error => error.Message))}");
            if (name.Length > 0)
                Assert.Equal(name, parsed.CommandResult.Command.Name);
        }
    }

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task Help_is_readable(string name)
    {
        var result = await Tool.RecordHereAsync([.. name.Split(' ', StringSplitOptions.RemoveEmptyEntries), "--help"]);

        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        Assert.All(
            result.Output.Split('\n').Where(line => !line.StartsWith("  esp-", StringComparison.Ordinal)),
            line => Assert.True(line.TrimEnd().Length <= HelpWriterAction.WidthOfFiles, line)
        );
        Snapshot.Matches("Recorder.Tests", $"help-{(name.Length == 0 ? "root" : name)}", result.Output.ReplaceLineEndings("\n"));
    }

    [Fact]
    public async Task Options_of_a_recording_are_in_groups()
    {
        var help = (await Tool.RecordHereAsync("record", "--help")).Output;
        foreach (var group in (string[])["What is recorded", "Suite", "ETW (Windows)", "Dumps", "Output"])
            Assert.Contains($"{Environment.NewLine}{group}:{Environment.NewLine}", help, StringComparison.Ordinal);
        Assert.Contains("esp-record record --help", (await Tool.RecordHereAsync("--help")).Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_command_is_described_without_the_tables_of_another()
    {
        using var folder = new TempFolder();
        var list = folder.PathOf("compiled.txt");
        using var process = Tool.Start(
            "AnalyzerDirectory",
            "esp-analyze.dll",
            ["jit", "--help"],
            ("DOTNET_JitStdOutFile", list),
            ("DOTNET_JitDisasmSummary", "1")
        );
        Assert.Equal(0, (await Tool.FinishAsync(process)).ExitCode);

        var compiled = await File.ReadAllLinesAsync(list, TestContext.Current.CancellationToken);
        Assert.Contains(
            compiled,
            line => line.Contains("compiled EtwSerializerProfiler.CommandLine.Help.HelpText:", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(compiled, line => line.Contains("compiled EtwSerializerProfiler.Analysis.", StringComparison.Ordinal));
        Assert.DoesNotContain(compiled, line => line.Contains("compiled EtwSerializerProfiler.Stores.", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Version_is_one_line_with_runtime_and_system() =>
        Assert.Matches(@"^esp-record \d+\.\d+\.\d+\S*, \.NET \d+[^,]*, .+ \(\S+\)\r?\n$", (await Tool.RecordHereAsync("--version")).Output);
}
