using EtwSerializerProfiler.Stores.Extraction;

namespace EtwSerializerProfiler.Stores.Tests.Extraction;

public sealed class TraceContentTests : IDisposable
{
    private readonly TempFolder _folder = new();

    [Fact]
    public void A_copied_recording_has_the_same_content()
    {
        var (first, second) = (Copy("first"), Copy("second"));

        Assert.Equal(Digest(first), Digest(second));
    }

    [Theory]
    [InlineData("report.html", false)]
    [InlineData("notes.txt", false)]
    [InlineData("table.csv", false)]
    [InlineData("perf.data", true)]
    [InlineData("perf-4711.map", true)]
    [InlineData("more.nettrace", true)]
    [InlineData("environment.json", true)]
    public void A_new_file_changes_it_when_the_analysis_reads_it(string name, bool changes)
    {
        var folder = Copy("first");
        var before = Digest(folder);
        File.WriteAllText(Path.Combine(folder, name), "x");

        Assert.Equal(changes, Digest(folder) != before);
    }

    [Theory]
    [InlineData("recording.json")]
    [InlineData("runs.csv")]
    [InlineData("clr.nettrace")]
    public void One_byte_changes_it(string name)
    {
        var folder = Copy("first");
        var before = Digest(folder);
        var bytes = File.ReadAllBytes(Path.Combine(folder, name));
        bytes[^3] ^= 1;
        File.WriteAllBytes(Path.Combine(folder, name), bytes);

        Assert.NotEqual(before, Digest(folder));
    }

    [Fact]
    public void The_name_of_a_single_file_does_not_matter()
    {
        var (first, second) = (_folder.Write("a.etl", "content"), _folder.Write("b.etl", "content"));

        Assert.Equal(TraceContent.Read(new TraceUnit(first, TraceFormat.Etl)), TraceContent.Read(new TraceUnit(second, TraceFormat.Etl)));
    }

    [Fact]
    public void Where_one_file_ends_and_the_next_begins_matters()
    {
        var (left, right) = (_folder.Write("l", "ab"), _folder.Write("r", "c"));
        var (other, last) = (_folder.Write("o", "a"), _folder.Write("s", "bc"));

        Assert.NotEqual(
            TraceContent.Read([new("l", left, 2), new("r", right, 1)]).Digest,
            TraceContent.Read([new("l", other, 1), new("r", last, 2)]).Digest
        );
    }

    [Fact]
    public void The_size_of_all_files_is_reported() =>
        Assert.Equal(
            Directory.GetFiles(TestFiles.Recording).Sum(file => new FileInfo(file).Length),
            TraceContent.Read(new TraceUnit(TestFiles.Recording, TraceFormat.Recording)).Bytes
        );

    [Fact]
    public void The_key_is_of_the_content_and_of_the_tables()
    {
        string[] keys =
        [
            TraceContent.Key("a", ""),
            TraceContent.Key("b", ""),
            TraceContent.Key("a", "run"),
            TraceContent.Key("a", "run,gc"),
        ];

        Assert.Equal(4, keys.Distinct().Count());
        Assert.Equal(keys[0], TraceContent.Key("a", ""));
        Assert.Equal(keys[0][..16], TraceContent.NameOf(keys[0]));
    }

    [Fact]
    public void An_index_is_its_recordings()
    {
        var folder = Path.Combine(_folder.Path, "index");
        Directory.CreateDirectory(folder);
        File.WriteAllText(
            Path.Combine(folder, "index.json"),
            """
            {"schema":1,"toolVersion":"1","startedUtc":"2026-11-21T00:00:00Z","recordings":[{"folder":"one","label":"a"},{"folder":"two","label":"b"}],"problems":[]}
            """
        );
        Copy("index/one");
        Copy("index/two");
        Copy("index/three");
        var files = UnitFiles.Of(new TraceUnit(folder, TraceFormat.Recording)).Select(file => file.Name).ToList();

        Assert.Equal("index.json", files[0]);
        Assert.Contains("one/clr.nettrace", files);
        Assert.Contains("two/runs.csv", files);
        Assert.DoesNotContain("three/runs.csv", files);
        var before = Digest(folder);
        File.AppendAllText(Path.Combine(folder, "two", "runs.csv"), "\n");
        Assert.NotEqual(before, Digest(folder));
    }

    public void Dispose() => _folder.Dispose();

    private static string Digest(string folder) => TraceContent.Read(new TraceUnit(folder, TraceFormat.Recording)).Digest;

    private string Copy(string name)
    {
        var folder = Path.Combine(_folder.Path, name);
        Directory.CreateDirectory(folder);
        foreach (var file in Directory.GetFiles(TestFiles.Recording))
            File.Copy(file, Path.Combine(folder, Path.GetFileName(file)));
        return folder;
    }
}
