using System.Text.RegularExpressions;
using EtwSerializerProfiler.Recorder.Commands;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>The page for users of dotnet-trace, and the aliases it names.</summary>
public sealed partial class DotnetTraceTests
{
    [Fact]
    public async Task Every_command_of_the_page_is_understood()
    {
        var lines = File.ReadAllLines(Path.Combine(Tool.Sources, "docs", "coming-from-dotnet-trace.md"))
            .Where(line => line.StartsWith("| `dotnet-trace", StringComparison.Ordinal))
            .Select(line => Ours().Match(line.Split('|')[2]).Groups[1].Value)
            .ToList();

        Assert.True(lines.Count > 12, $"{lines.Count} rows");
        foreach (var line in lines)
        {
            var words = line.Split(' ');
            if (words[0] == "esp-record")
            {
                var errors = EspRecord.Parse(words[1..], out _).Errors;
                Assert.True(errors.Count == 0, $"{line}: {string.Join("; ", errors.Select(error => error.Message))}");
                continue;
            }

            // Recordings of the examples are not here: a command that parses reports that, not a wrong command line.
            Assert.Equal("esp-analyze", words[0]);
            var result = await Tool.AnalyzeAsync(words[1..]);
            Assert.True(result.ExitCode == 3, $"{line}: {result.ExitCode}: {result.Error}");
        }
    }

    [Theory]
    [InlineData("00:00:00:30", 30.0)]
    [InlineData("01:02:03:04", 93784.0)]
    [InlineData("30", 30.0)]
    [InlineData("0.5", 0.5)]
    [InlineData("00:00:60:00", null)]
    [InlineData("00:30", null)]
    [InlineData("-1", null)]
    [InlineData("1e3", null)]
    public void A_duration_is_seconds_or_what_dotnet_trace_takes(string text, double? seconds) =>
        Assert.Equal(seconds, DurationText.TryParse(text)?.TotalSeconds);

    [Fact]
    public async Task Ps_lists_this_process_with_its_runtime()
    {
        var result = await Tool.RecordAsync("ps");

        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        Assert.Matches($@"(?m)^ *{Environment.ProcessId}  \S.*  {Regex.Escape(Environment.Version.ToString())} ", result.Output);
    }

    [Fact]
    public async Task Collect_finds_a_process_by_its_name_or_says_that_there_is_none()
    {
        var result = await Tool.RecordHereAsync("collect", "-n", "no-such-process-4711", "--dry-run");

        Assert.Equal(4, result.ExitCode);
        Assert.Contains("no .NET process has the name 'no-such-process-4711'", result.Error, StringComparison.Ordinal);
        var found = await Tool.RecordAsync("collect", "-p", $"{Environment.ProcessId}", "--dry-run");
        Assert.True(found.ExitCode == 0, found.Error);
        Assert.Equal(
            (await Tool.RecordAsync("attach", $"{Environment.ProcessId}", "--dry-run")).Output.Split('\n')[0],
            found.Output.Split('\n')[0]
        );
    }

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Ours();
}
