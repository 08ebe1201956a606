using System.Diagnostics;
using EtwSerializerProfiler.Recorder.Commands;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Completions of the Tab key on command lines of esp-record.</summary>
public sealed class CompletionTests
{
    [Theory]
    [InlineData("esp-record rec", "record")]
    [InlineData("esp-record --dump-k", "--dump-kind")]
    [InlineData("esp-record -seria", "-serializer")]
    [InlineData("esp-record --seria", "--serializer")]
    [InlineData("esp-record -serializer MemoryP", "MemoryPack")]
    [InlineData("esp-record --serializer MemoryPack,SystemTextJ", "MemoryPack,SystemTextJson,MemoryPack,SystemTextJsonSourceGen")]
    [InlineData("esp-record -Serializer MemoryP", "MemoryPack")]
    [InlineData("esp-record record -test ser", "serialize")]
    [InlineData("esp-record --sessions clr,c", "clr,code")]
    [InlineData("esp-record --sessions xp", "xperf")]
    [InlineData("esp-record attach 1 --sessions xp", "")]
    [InlineData("esp-record --alloc t", "ticks")]
    [InlineData("esp-record -n 10 --format ", "csv,json,markdown,table")]
    [InlineData("esp-record --runtime net8.0,m", "net8.0,mono")]
    [InlineData("esp-record --mode c", "circular:256MB,circular:64MB")]
    [InlineData("esp-record -scenario q", "quadratic")]
    [InlineData("esp-record features -serializer Slim", "Slim")]
    [InlineData("esp-record collect --proc", "--process-id")]
    [InlineData("esp-record -n 10 -- dotnet --f", "")]
    [InlineData("esp-record completions b", "bash")]
    public void A_line_is_completed(string line, string expected) =>
        Assert.Equal(expected, string.Join(',', EspRecord.Suggest(line).Order(StringComparer.Ordinal)));

    [Fact]
    public async Task Bash_asks_the_program_itself()
    {
        Assert.SkipUnless(File.Exists("/bin/bash"), "no bash here");
        var completions = await Tool.RecordHereAsync("completions", "bash");
        Assert.Equal((0, ""), (completions.ExitCode, completions.Error));
        using var folder = new TempFolder();
        var program = Path.Combine(Tool.RecorderDirectory, "esp-record");
        Assert.SkipUnless(File.Exists(program), "esp-record has no executable of its own here");
        var script = folder.Write(
            "test.sh",
            $$"""
            {{completions.Output}}
            COMP_LINE='{{program}} --dump-k' COMP_WORDS=('{{program}}' --dump-k) COMP_CWORD=1
            COMP_POINT=${#COMP_LINE}
            _esp_record_completions
            echo "${COMPREPLY[*]}"
            """
        );
        var start = new ProcessStartInfo("/bin/bash", [script]) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment["DOTNET_ROOT"] = Tool.DotNetRoot;
        using var process = Process.Start(start)!;

        Assert.Equal("--dump-kind", (await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken)).Trim());
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.Equal(0, process.ExitCode);
    }
}
