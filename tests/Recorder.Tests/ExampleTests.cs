using System.Diagnostics;
using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// Runs every esp-record and esp-analyze line of the pages' code blocks, in order, in a folder of its own. Placeholders are replaced by
/// rules:
/// <list type="bullet">
/// <item>
/// the folder has an esp.json that makes the suite small: one serializer and operation, few objects and runs; a line's own options override
/// it;
/// </item>
/// <item><c>dotnet MyApp.dll</c> and <c>dotnet MyBenchmark.dll</c> are the test program with five marked runs;</item>
/// <item><c>PID</c> is the test program, which runs meanwhile;</item>
/// <item>a line whose comment says Windows is a dry run;</item>
/// <item>
/// one whose comment says root may end with 4, not permitted; where perf events are not permitted, esp-analyze may end with 3, not
/// recorded; a gate may end with 5, undecided, or 1: two recordings of one build are compared, with few runs.
/// </item>
/// </list>
/// A process for each analysis would spend most of its time on JIT compilation. So esp-analyze runs in this process, except for the first
/// line of a page, and after the first recording of a page esp-record does not analyse: this process summarizes the recording instead.
/// Other commands (dotnet, docker, sudo) are not run. Each page is a class, so that they run side by side.
/// </summary>
/// <param name="page">The page.</param>
/// <param name="min">Minimum number of examples.</param>
[Trait(TestKind.Trait, TestKind.Records)]
public abstract partial class ExampleTests(string page, int min) : IDisposable
{
    /// <summary>Whether this machine permits no perf events: esp-analyze then refuses what needs CPU samples.</summary>
    private bool _noKernelSession;

    /// <summary>Lines of esp-analyze so far.</summary>
    private int _analyzes;

    /// <summary>Whether esp-record has recorded and analysed once on this page.</summary>
    private bool _recorded;

    private readonly string _folder = Directory.CreateTempSubdirectory("esp-docs-").FullName;

    public void Dispose()
    {
        GC.SuppressFinalize(this);
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Every_example_of_the_page_runs()
    {
        await ConfigureAsync("noReport");
        var text = await File.ReadAllTextAsync(Path.Combine(Tool.Sources, "docs", page), TestContext.Current.CancellationToken);
        var lines = Blocks(text).Where(line => Command().IsMatch(line)).ToList();
        using var running = lines.Any(line => line.Contains("PID", StringComparison.Ordinal)) ? await StartAsync() : null;
        try
        {
            foreach (var line in lines)
                await RunAsync(line, running);
        }
        finally
        {
            running?.Kill(entireProcessTree: true);
        }

        Assert.True(lines.Count >= min, $"{lines.Count} examples");
    }

    private async Task RunAsync(string line, Process? running)
    {
        var comment = line.IndexOf(" #", StringComparison.Ordinal) is >= 0 and var at ? line[at..] : "";
        var words = line[..(line.Length - comment.Length)].Split(' ', StringSplitOptions.RemoveEmptyEntries).ToList();
        var (tool, arguments) = (words[0], words[1..]);
        var program = arguments.FindIndex(word => word is "MyApp.dll" or "MyBenchmark.dll");
        if (program > 0)
            arguments = [.. arguments[..(program - 1)], Tool.TestProgram, "runs", "5"];
        arguments = [.. arguments.Select(word => word == "PID" ? $"{running!.Id}" : word)];
        if (comment.Contains("Windows", StringComparison.Ordinal) && tool == "esp-record" && !arguments.Contains("--dry-run"))
            arguments.Insert(0, "--dry-run");

        var result =
            tool == "esp-record" ? await RecordAsync([.. arguments])
            : _analyzes++ == 0 ? await Tool.AnalyzeInAsync(_folder, [.. arguments])
            : await Tool.AnalyzeAsync([.. arguments.Select((word, at) => at == 0 ? word : InFolder(word, arguments[at - 1]))]);

        _noKernelSession |= result.Error.Contains("no kernel session", StringComparison.Ordinal);
        int[] legal =
        [
            0,
            .. _noKernelSession && tool == "esp-analyze" ? [3] : Array.Empty<int>(),
            .. comment.Contains("root", StringComparison.Ordinal) ? [4] : Array.Empty<int>(),
            .. arguments[0] == "gate" ? [1, 5] : Array.Empty<int>(),
        ];
        Assert.True(legal.Contains(result.ExitCode), $"{line}\nended with {result.ExitCode}\n{result.Error}\n{result.Output}");
        Assert.True(result.Output.Length > 0 || result.ExitCode > 0, line);
    }

    /// <summary>Runs esp-record, and this process summarizes what it recorded without a summary.</summary>
    private async Task<ToolResult> RecordAsync(string[] arguments)
    {
        var before = Recordings();
        var result = await Tool.RecordInAsync(_folder, arguments);
        foreach (var recording in Recordings().Except(before))
        {
            if (_recorded)
            {
                var summary = await Tool.AnalyzeAsync(recording);
                Assert.True(summary.ExitCode == 0, $"{recording}\n{summary.Error}");
                Assert.NotEqual("", summary.Output);
                result = result with { Output = result.Output + summary.Output };
            }
        }

        if (!_recorded && result.ExitCode == 0 && Recordings().Length > before.Length)
        {
            Assert.NotEqual("", result.Output);
            _recorded = true;
            await ConfigureAsync("noAnalyze");
        }

        return result;
    }

    /// <summary>Folders of all recordings so far.</summary>
    private string[] Recordings() =>
        [.. Directory.EnumerateFiles(_folder, "recording.json", SearchOption.AllDirectories).Select(file => Path.GetDirectoryName(file)!)];

    /// <summary>Writes the esp.json that makes the suite small.</summary>
    /// <param name="setting">What esp-record leaves out.</param>
    private Task ConfigureAsync(string setting) =>
        File.WriteAllTextAsync(
            Path.Combine(_folder, "esp.json"),
            $$"""
            {
              "suite": { "serializer": "#SystemTextJson", "test": "serialize", "n": 100, "runs": 1 },
              "record": { "{{setting}}": true }
            }
            """,
            TestContext.Current.CancellationToken
        );

    /// <summary>A word of a command line, with the full path if it names a file or folder.</summary>
    private string InFolder(string word, string before) =>
        word.StartsWith("sqlite:", StringComparison.Ordinal) ? $"sqlite:{Path.Combine(_folder, word["sqlite:".Length..])}"
        : before == "-o" || Path.Exists(Path.Combine(_folder, word)) ? Path.Combine(_folder, word)
        : word;

    /// <summary>The lines of the code blocks without a language.</summary>
    private static IEnumerable<string> Blocks(string text)
    {
        string? fence = null;
        foreach (var line in text.ReplaceLineEndings("\n").Split('\n'))
        {
            if (line.StartsWith("```", StringComparison.Ordinal))
                fence = fence is null ? line : null;
            else if (fence == "```")
                yield return line;
        }
    }

    /// <summary>A program that runs until it is killed.</summary>
    private static async Task<Process> StartAsync()
    {
        var process = Process.Start(
            new ProcessStartInfo(Tool.TestProgram, ["naps", "20"])
            {
                RedirectStandardOutput = true,
                Environment = { ["DOTNET_ROOT"] = Tool.DotNetRoot },
            }
        )!;
        Assert.Equal("napping", await process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));
        return process;
    }

    [GeneratedRegex(@"^esp-(record|analyze)\b")]
    private static partial Regex Command();
}

public sealed class GettingStartedExampleTests() : ExampleTests("getting-started.md", 17);

public sealed class RecordingExampleTests() : ExampleTests("recording.md", 19);
