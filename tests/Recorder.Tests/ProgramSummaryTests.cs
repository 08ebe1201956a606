namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>The first screen after a program that marks no runs: it names the cause and the method, and fits the screen.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ProgramSummaryTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-sum-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Collections_asked_for_and_the_method_that_allocates_are_named()
    {
        var recorded = await Tool.RecordAsync("--alloc", "--out", Path.Combine(_root, "r"), "--", Tool.TestProgram, "finalizers", "20", "5000");

        Assert.Equal(0, recorded.ExitCode);
        var screen = Screen(recorded);
        Assert.Matches(@"Allocated: \d+\.\d MB, \d+\.\d MB/s; Finalizers \d+ %", screen);
        var words = string.Join(' ', screen.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        Assert.Matches(@"; \d+ % in Finalizers.Make JIT: ", words);
        Assert.Matches(@"Hint: the program asks for most of its GCs: TestProgram Run \(20 of \d+, \d+ ms of pauses, by Finalizers.TidyUp, allocates Finalizers \d+ %", words);
        Assert.DoesNotContain("erializer", screen, StringComparison.Ordinal);
        Assert.Contains("\"ofPrograms\":true", await File.ReadAllTextAsync(Path.Combine(_root, "r", "report.html"), TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_program_that_does_nothing_of_note_fits_too_without_allocations()
    {
        var recorded = await Tool.RecordAsync("--alloc", "none", "--out", Path.Combine(_root, "r"), "--", Tool.TestProgram, "finalizers", "1", "10");

        Assert.Equal(0, recorded.ExitCode);
        Assert.Contains("Allocated: not recorded\n", Screen(recorded), StringComparison.Ordinal);
    }

    /// <summary>What is printed below the program's own output.</summary>
    private static string Screen(ToolResult recorded)
    {
        var output = recorded.Output.ReplaceLineEndings("\n");
        var screen = output[output.IndexOf("/r: ", StringComparison.Ordinal)..];
        var lines = screen.TrimEnd('\n').Split('\n');
        Assert.InRange(lines.Length, 10, 40);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 100));
        return screen;
    }
}
