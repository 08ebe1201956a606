using System.IO.Compression;
using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Stores.Tests.Extraction;

public sealed class TraceDiscoveryTests : IDisposable
{
    private readonly TempFolder _folder = new();

    [Fact]
    public void Traces_are_recognized_by_name_and_the_rest_is_skipped()
    {
        foreach (
            var name in (string[])
                [
                    "b.etl",
                    "A.ETL",
                    "c.nettrace",
                    "d.nettrace.zst",
                    "e.txt.zst",
                    "perf.data",
                    "perf.data.old",
                    "x.diagsession",
                    "y.etl.zip",
                    "readme.txt",
                    "data",
                    "z.perf.data",
                ]
        )
            _folder.Write(name, "x");
        Zip("with.zip", "sub/trace.etl");
        Zip("without.zip", "readme.md");
        _folder.Write("broken.zip", "no archive");
        Directory.CreateDirectory(Path.Combine(_folder.Path, "other"));
        Recording("rec");
        Write("rec/clr.nettrace");
        Write("index/index.json");
        Write("index/net10/recording.json");

        var found = TraceDiscovery.Find([_folder.Path], recursive: false);

        Assert.Equal(
            [
                "A.ETL Etl",
                "b.etl Etl",
                "broken.zip Etl",
                "c.nettrace NetTrace",
                "d.nettrace.zst NetTrace",
                "index Recording",
                "perf.data Perf",
                "perf.data.old Perf",
                "rec Recording",
                "with.zip Etl",
                "x.diagsession Etl",
                "y.etl.zip Etl",
                "z.perf.data Perf",
            ],
            Names(found)
        );
        Assert.Equal((4, 1), (found.OtherFiles, found.OtherFolders));
    }

    [Fact]
    public void Files_of_an_unmerged_trace_are_one_trace_whose_content_is_theirs()
    {
        foreach (var name in (string[])["X.etl", "X.kernel.etl", "X.clrRundown.etl", "alone.kernel.etl"])
            _folder.Write(name, name);

        var found = TraceDiscovery.Find([_folder.Path], recursive: false);

        Assert.Equal(["X.etl Etl", "alone.kernel.etl Etl"], Names(found));
        Assert.Equal(["", ".clrRundown.etl", ".kernel.etl"], UnitFiles.Of(found.Units[0]).Select(file => file.Name));
        var before = TraceContent.Read(found.Units[0]);
        _folder.Write("X.kernel.etl", "changed");
        Assert.NotEqual(before.Digest, TraceContent.Read(found.Units[0]).Digest);
    }

    [Fact]
    public void Sub_folders_are_searched_when_asked()
    {
        Write("a/b/one.etl");
        Write("a/b/notes.txt");
        Recording("a/c/rec");
        Write("a/c/rec/snapshot-1/recording.json");

        Assert.Empty(TraceDiscovery.Find([_folder.Path], recursive: false).Units);
        var found = TraceDiscovery.Find([_folder.Path], recursive: true);

        Assert.Equal(["a/b/one.etl Etl", "a/c/rec Recording"], Names(found));
        Assert.Equal((1, 0), (found.OtherFiles, found.OtherFolders));
    }

    [Fact]
    public void What_is_named_twice_is_found_once_whatever_the_order()
    {
        Write("a/one.etl");
        Recording("rec");
        string[] paths =
        [
            Path.Combine(_folder.Path, "rec", "recording.json"),
            Path.Combine(_folder.Path, "a") + Path.DirectorySeparatorChar,
            Path.Combine(_folder.Path, "a", "one.etl"),
            Path.Combine(_folder.Path, "rec"),
        ];

        var found = TraceDiscovery.Find(paths, recursive: false);

        Assert.Equal(["a/one.etl Etl", "rec Recording"], Names(found));
        Assert.Equal(found.Units, TraceDiscovery.Find([.. paths.Reverse()], recursive: false).Units);
    }

    [Fact]
    public void A_file_that_is_named_is_recognized_by_its_content_too()
    {
        var perf = _folder.Write("sampled", "PERFILE2 and more");
        var runtime = _folder.Write("runtime.trace", "Nettrace!BlockObject");
        var other = _folder.Write("notes", "PERF");

        var found = TraceDiscovery.Find([perf, runtime, other], recursive: false);

        Assert.Equal(["runtime.trace NetTrace", "sampled Perf"], Names(found));
        Assert.Equal(1, found.OtherFiles);
    }

    [Fact]
    public void Links_to_folders_lead_into_no_circle()
    {
        if (OperatingSystem.IsWindows())
            Assert.Skip("making links takes a privilege on Windows");
        Write("a/one.etl");
        Directory.CreateSymbolicLink(Path.Combine(_folder.Path, "a", "back"), _folder.Path);

        Assert.Equal(["a/one.etl Etl"], Names(TraceDiscovery.Find([_folder.Path], recursive: true)));
    }

    [Fact]
    public void A_path_that_does_not_exist_is_an_error()
    {
        var error = Assert.Throws<TraceFormatException>(() => TraceDiscovery.Find([Path.Combine(_folder.Path, "no")], recursive: false));

        Assert.Contains("the file or folder does not exist", error.Problem.What, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    private IEnumerable<string> Names(DiscoveredTraces found) =>
        found.Units.Select(unit => $"{Path.GetRelativePath(_folder.Path, unit.Path).Replace('\\', '/')} {unit.Format}");

    private void Recording(string folder) => Write(folder + "/recording.json");

    private void Write(string name)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Path.Combine(_folder.Path, name))!);
        _folder.Write(name, "{}");
    }

    private void Zip(string name, string entry)
    {
        using var archive = ZipFile.Open(Path.Combine(_folder.Path, name), ZipArchiveMode.Create);
        using var stream = archive.CreateEntry(entry).Open();
        stream.WriteByte(1);
    }
}
