using System.Text.RegularExpressions;
using EtwSerializerProfiler.TestSupport;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>esp-analyze export, on the committed recording.</summary>
public sealed partial class ExportCommandTests : IDisposable
{
    private readonly TempFolder _folder = new();

    private string Etl => Path.Combine(_folder.Path, "net10.etl");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void It_says_what_was_written_and_what_is_not_in_it()
    {
        var (code, output, error) = Run("export", TestFiles.Recording, "--to", "etl", "-o", Etl);
        Assert.Equal((0, ""), (code, error));
        Snapshot.Matches("Reports.Tests", "export-etl", Elapsed().Replace(output.Replace(_folder.Path, "{folder}", StringComparison.Ordinal), "in {time} s."));
    }

    /// <summary>All that the reports print of the export: with the run CSV beside it the same as of the recording.</summary>
    [Theory]
    [InlineData("table", true)]
    [InlineData("runs", true)]
    [InlineData("alloc", false)]
    [InlineData("exceptions", false)]
    [InlineData("locks", false)]
    [InlineData("jit", false)]
    [InlineData("waits", false)]
    public void Reports_are_those_of_the_recording(string command, bool withCsv)
    {
        Assert.Equal(0, Run("export", TestFiles.Recording, "--to", "etl", "-o", Etl).Code);
        var ofRecording = Run(command, TestFiles.Recording, "--format", "csv");
        string[] export = withCsv ? [command, Etl, Path.Combine(TestFiles.Recording, "runs.csv")] : [command, Etl];
        var ofExport = Run([.. export, "--format", "csv"]);

        Assert.Equal(0, ofRecording.Code);
        Assert.True(ofRecording.Output.ReplaceLineEndings("\n").Count(character => character == '\n') > 1, ofRecording.Output);
        Assert.Equal(ofRecording.Output, ofExport.Output);
    }

    [Fact]
    public void What_is_wrong_is_a_line_and_an_exit_code()
    {
        File.WriteAllText(Etl, "mine");
        var (code, output, error) = Run("export", TestFiles.Recording, "--to", "etl", "-o", Etl);
        Assert.Equal((2, "", $"esp-analyze: {Etl} exists; name another file with -o, or replace it with --force{Environment.NewLine}"), (code, output, error));
        Assert.Equal(3, Run("export", _folder.Path, "--to", "etl").Code);
        Assert.Equal(4, Run("export", TestFiles.Recording, "--to", "etl", "-o", Path.Combine(_folder.Path, "none", "x.etl")).Code);
        Assert.NotEqual(0, Run("export", TestFiles.Recording).Code);
        Assert.NotEqual(0, Run("export", TestFiles.Recording, "--to", "docx").Code);
    }

    [GeneratedRegex(@"in [0-9.,]+ s\.")]
    private static partial Regex Elapsed();
}
