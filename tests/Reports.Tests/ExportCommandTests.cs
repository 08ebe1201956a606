using System.IO.Compression;
using System.Text.RegularExpressions;
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
        Snapshot.Matches(
            "Reports.Tests",
            "export-etl",
            Elapsed().Replace(output.Replace(_folder.Path, "{folder}", StringComparison.Ordinal), "in {time} s.")
        );
    }

    /// <summary>All output of the reports on the export, which with the run CSV next to it equals that on the recording.</summary>
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
    public void What_is_wrong_is_an_error_and_an_exit_code()
    {
        File.WriteAllText(Etl, "mine");
        var (code, output, error) = Run("export", TestFiles.Recording, "--to", "etl", "-o", Etl);
        Assert.Equal((2, ""), (code, output));
        Assert.Equal(
            ("the file exists", Etl, "name another file with -o, or replace it with --force"),
            ErrorLines.Check("esp-analyze", error)
        );
        Assert.Equal(3, Run("export", _folder.Path, "--to", "etl").Code);
        Assert.Equal(4, Run("export", TestFiles.Recording, "--to", "etl", "-o", Path.Combine(Etl, "x.etl")).Code); // below a file
        Assert.Equal(0, Run("export", TestFiles.Recording, "--to", "etl", "-o", Path.Combine(_folder.Path, "made", "x.etl")).Code);
        Assert.NotEqual(0, Run("export", TestFiles.Recording).Code);
        Assert.NotEqual(0, Run("export", TestFiles.Recording, "--to", "docx").Code);
    }

    [Theory]
    [InlineData("speedscope")]
    [InlineData("firefox")]
    [InlineData("chromium")]
    [InlineData("pprof")]
    [InlineData("collapsed")]
    [InlineData("csv")]
    [InlineData("json")]
    public void Samples_of_an_etl_are_written_in_every_format(string format)
    {
        SerializerTestsEtl.Write(Etl);
        var file = Path.Combine(_folder.Path, "out." + format);

        var (code, output, error) = Run("export", Etl, "--to", format, "-o", file);

        Assert.Equal((0, ""), (code, error));
        Assert.StartsWith($"Written: {file}, ", output, StringComparison.Ordinal);
        Assert.Contains("Completeness: runs expected ", output, StringComparison.Ordinal);
        Assert.Contains("Warning: ", output, StringComparison.Ordinal); // a run of an unknown serializer
        Assert.Contains(Text(file), text => text.Contains("Newtonsoft.Json", StringComparison.Ordinal));
        Assert.DoesNotContain(Directory.EnumerateFiles(_folder.Path), name => name.EndsWith(".part", StringComparison.Ordinal));
        Assert.Equal(2, Run("export", Etl, "--to", format, "-o", file).Code);
        Assert.Equal(0, Run("export", Etl, "--to", format, "-o", file, "--force", "--serializer", "protobuf-net").Code);
        Assert.DoesNotContain(Text(file), text => text.Contains("Newtonsoft.Json Serialize", StringComparison.Ordinal));
        var zipped = file + ".gz";
        Assert.Equal(0, Run("export", Etl, "--to", format, "-o", zipped, "--serializer", "protobuf-net").Code);
        Assert.Equal(Text(file), Text(zipped));
    }

    [Fact]
    public void What_has_no_samples_says_what_to_record_and_options_that_do_nothing_are_refused()
    {
        var (code, output, error) = Run("export", TestFiles.Recording, "--to", "speedscope", "-o", Etl);
        Assert.Equal((3, ""), (code, output));
        Assert.Contains("CPU samples", error, StringComparison.Ordinal);
        SerializerTestsEtl.Write(Etl);
        Assert.Equal(2, Run("export", Etl, "--to", "pprof", "-o", Etl + ".x", "--serializer", "Jil").Code);
        Assert.Equal(4, Run("export", Etl, "--to", "pprof", "-o", Path.Combine(Etl, "x")).Code); // below a file
        Assert.Equal(0, Run("export", Etl, "--to", "pprof", "-o", Path.Combine(_folder.Path, "made", "anew", "x")).Code);
        Assert.True(File.Exists(Path.Combine(_folder.Path, "made", "anew", "x")));
        string[][] refused =
        [
            ["--to", "pprof", "--compress"],
            ["--to", "pprof", "--in-order"],
            ["--to", "etl", "--by", "run"],
            ["--to", "etl", "--serializer", "x"],
            ["--to", "firefox", "--by", "row"],
        ];
        Assert.All(refused, options => Assert.Equal(2, Run(["export", Etl, "-o", Etl + ".x", .. options]).Code));
        Assert.False(File.Exists(Etl + ".x"));
    }

    /// <summary>The lines of a file, compressed or not.</summary>
    private static string[] Text(string file)
    {
        using var stream = File.OpenRead(file);
        var isZipped = stream.ReadByte() == 0x1f && stream.ReadByte() == 0x8b;
        stream.Position = 0;
        using var reader = new StreamReader(isZipped ? new GZipStream(stream, CompressionMode.Decompress) : stream);
        return reader.ReadToEnd().Split('\n');
    }

    [GeneratedRegex(@"in [0-9.,]+ s\.")]
    private static partial Regex Elapsed();
}
