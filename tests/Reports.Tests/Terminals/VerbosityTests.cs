using EtwSerializerProfiler.Foundation.Progress;
using EtwSerializerProfiler.Reports.Sources;

namespace EtwSerializerProfiler.Reports.Tests.Terminals;

/// <summary>Messages in addition to the results.</summary>
public sealed class VerbosityTests
{
    [Fact]
    public void Quiet_leaves_hints_out_and_keeps_warnings()
    {
        var (_, usual, _) = AnalyzeTool.Run("table", TestFiles.Unmarked);
        var (_, quiet, error) = AnalyzeTool.Run("table", TestFiles.Unmarked, "--quiet");

        Assert.Contains("Read: ", usual, StringComparison.Ordinal);
        Assert.Contains("Hint: ", usual + AnalyzeTool.Run("table", TestFiles.Recording).Output, StringComparison.Ordinal);
        Assert.DoesNotContain("Read: ", quiet, StringComparison.Ordinal);
        Assert.DoesNotContain("Hint: ", quiet + AnalyzeTool.Run("table", TestFiles.Recording, "-q").Output, StringComparison.Ordinal);
        Assert.Equal(Warnings(usual), Warnings(quiet));
        Assert.Equal("", error);

        static IEnumerable<string> Warnings(string text) =>
            text.Split('\n').Where(line => line.StartsWith("Warning", StringComparison.Ordinal));
    }

    [Fact]
    public void Verbose_says_what_was_read_on_the_error_stream_alone()
    {
        var (_, usual, _) = AnalyzeTool.Run("runs", TestFiles.Recording, "--format", "json");
        var (_, verbose, error) = AnalyzeTool.Run("runs", TestFiles.Recording, "--format", "json", "--verbose");

        Assert.Equal(usual, verbose);
        Assert.Contains("clr.nettrace: ", error, StringComparison.Ordinal);
        Assert.Matches(@"took \d+\.\d\d s, \d+\.\d\d s of CPU time; \d+ MB of peak memory", error);
    }

    [Fact]
    public void Both_at_once_are_refused() =>
        Assert.Contains(
            "choose one",
            AnalyzeTool.Run("table", TestFiles.Recording, "--quiet", "--verbose").Error,
            StringComparison.Ordinal
        );

    /// <summary>Compared with the sizes of the files.</summary>
    [Fact]
    public void Every_pass_ends_with_all_bytes_read()
    {
        var progress = new ReadProgress();
        ReadProgress.Current = progress;
        try
        {
            AnalyzeTool.Run("table", TestFiles.Recording);
        }
        finally
        {
            ReadProgress.Current = null;
        }

        // The command has its own account; the outer one is restored afterwards.
        Assert.Empty(progress.Passes);
        ReadProgress.Current = progress;
        ReportPrinter.PrintTable(new TraceRuns([TestFiles.Recording]), ReportFormat.Json, TextWriter.Null);
        ReadProgress.Current = null;

        Assert.NotEmpty(progress.Passes);
        Assert.All(progress.Passes, pass => Assert.Equal((pass.Bytes, true), (pass.Done, pass.Ended is not null)));
        Assert.All(progress.Passes, pass => Assert.InRange(pass.Bytes, 1, new FileInfo(pass.Name).Length));
        Assert.Null(progress.Running);
    }
}
