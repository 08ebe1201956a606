using System.Diagnostics;
using EtwSerializerProfiler.CommandLine.Completion;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>Completions of the Tab key on command lines of esp-analyze.</summary>
public sealed class CompletionTests
{
    [Theory]
    [InlineData("esp-analyze cau", "causes")]
    [InlineData("esp-analyze causes --by", "--by-run")]
    [InlineData("esp-analyze causes r1 -f ", "csv,json,markdown,table")]
    [InlineData("esp-analyze causes r1 --format m", "markdown")]
    [InlineData("esp-analyze causes r1 --format=c", "--format=csv")]
    [InlineData("esp-analyze export r1 --to spee", "speedscope")]
    [InlineData("esp-analyze convert r1 --format ch", "chromium")]
    [InlineData("esp-analyze gate a b --metric wall,", "wall,alloc,wall,cpu,wall,gc,wall,jit")]
    [InlineData("esp-analyze trend --metric al", "alloc")]
    [InlineData("esp-analyze completions z", "zsh")]
    [InlineData("esp-analyze causes --zzz", "")]
    public void A_line_is_completed(string line, string expected)
    {
        var (code, output, error) = Run($"[suggest:{line.Length}]", line);

        Assert.Equal((0, ""), (code, error));
        Assert.Equal(
            expected,
            string.Join(',', output.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal))
        );
    }

    [Fact]
    public void Recordings_of_the_folder_are_offered_the_newest_first()
    {
        using var folder = new TempFolder();
        foreach (var (name, day) in (ReadOnlySpan<(string, int)>)[("old", 1), ("new", 2), ("none", 3)])
        {
            var path = Directory.CreateDirectory(Path.Combine(folder.Path, "recordings", name)).FullName;
            if (name != "none")
                File.WriteAllText(Path.Combine(path, "recording.json"), "{}");
            Directory.SetLastWriteTimeUtc(path, new DateTime(2026, 1, day, 0, 0, 0, DateTimeKind.Utc));
        }

        Assert.Equal(["recordings/new", "recordings/old"], ValueSources.Recordings(folder.Path));
        Assert.Empty(ValueSources.Recordings(Path.Combine(folder.Path, "recordings", "none")));
    }

    /// <summary>The script itself, in its shell; a stand-in for the tool records its arguments.</summary>
    [Fact]
    public void Bash_puts_the_answers_of_the_tool_on_the_line()
    {
        Assert.SkipUnless(File.Exists("/bin/bash"), "no bash here");
        using var folder = new TempFolder();
        var script = $$"""
            esp-tool() { printf '%s|%s\n' "$1" "$2" >> '{{folder.Path}}/asked'; printf 'speedscope\nstacks\n'; }
            {{CompletionScript.Of(ShellKind.Bash, "esp-tool")}}
            complete -p esp-tool
            COMP_LINE='esp-tool export r1 --to s' COMP_WORDS=(esp-tool export r1 --to s) COMP_CWORD=4
            COMP_POINT=${#COMP_LINE}
            _esp_tool_completions
            echo "${COMPREPLY[*]}"
            esp-tool() { printf '%s\n' --to=speedscope; }
            COMP_LINE='esp-tool export r1 --to=sp' COMP_WORDS=(esp-tool export r1 --to = sp) COMP_CWORD=5
            COMP_POINT=${#COMP_LINE}
            _esp_tool_completions
            echo "${COMPREPLY[*]}"
            """;
        var output = Shell("/bin/bash", folder.Write("test.sh", script));

        Assert.Contains("-F _esp_tool_completions esp-tool", output[0], StringComparison.Ordinal);
        Assert.Equal(["speedscope stacks", "speedscope"], output[1..]);
        Assert.Equal("[suggest:25]|esp-tool export r1 --to s", File.ReadAllText(Path.Combine(folder.Path, "asked")).Trim());
    }

    [Fact]
    [NeedsProgram("zsh fish", "zsh", "fish", "pwsh")]
    public void Other_shells_read_the_script()
    {
        using var folder = new TempFolder();
        foreach (var (shell, kind) in ((string, ShellKind)[])[("zsh", ShellKind.Zsh), ("fish", ShellKind.Fish), ("pwsh", ShellKind.Pwsh)])
        {
            if (NeedsProgramAttribute.Find(shell) is { } program)
                Assert.Empty(Shell(program, folder.Write("script", CompletionScript.Of(kind, "esp-tool"))));
        }
    }

    [Theory]
    [InlineData("bash", "complete -o default")]
    [InlineData("zsh", "#compdef esp-analyze")]
    [InlineData("fish", "complete --command esp-analyze")]
    [InlineData("pwsh", "-CommandName esp-analyze")]
    public void Scripts_name_the_tool(string shell, string expected)
    {
        var (code, output, error) = Run("completions", shell);

        Assert.Equal((0, ""), (code, error));
        Assert.Contains(expected, output, StringComparison.Ordinal);
        Assert.DoesNotContain("TOOL", output, StringComparison.Ordinal);
        Assert.DoesNotContain("FUNCTION", output, StringComparison.Ordinal);
    }

    private static string[] Shell(string program, string script)
    {
        using var process = Process.Start(
            new ProcessStartInfo(program, [script]) { RedirectStandardOutput = true, RedirectStandardError = true }
        )!;
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        Assert.Equal((0, ""), (process.ExitCode, error.GetAwaiter().GetResult()));
        return output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }
}
