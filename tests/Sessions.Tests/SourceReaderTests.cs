using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class SourceReaderTests
{
    private const string Hash = "0123456789abcdef0123456789abcdef01234567";
    private const string Other = "89abcdef0123456789abcdef0123456789abcdef";

    [Fact]
    public void A_branch_is_found_from_a_folder_inside_of_the_repository()
    {
        using var folder = Repository("ref: refs/heads/feature/x\n", ("refs/heads/feature/x", Hash + "\n"));

        Assert.Equal(new RecordedSource("feature/x", Hash), Read(Folder(folder, "src/program")));
    }

    [Fact]
    public void A_packed_reference_is_found_by_its_whole_name()
    {
        using var folder = Repository(
            "ref: refs/heads/main\n",
            (
                "packed-refs",
                $"# pack-refs with: peeled fully-peeled sorted \n{Other} refs/heads/main2\n{Hash} refs/heads/main\n{Other} refs/tags/v1\n^{Other}\n"
            )
        );

        Assert.Equal(new RecordedSource("main", Hash), Read(folder.Path));
    }

    [Fact]
    public void A_loose_reference_is_newer_than_a_packed_one()
    {
        using var folder = Repository("ref: refs/heads/main", ("packed-refs", $"{Other} refs/heads/main\n"), ("refs/heads/main", Hash));

        Assert.Equal(new RecordedSource("main", Hash), Read(folder.Path));
    }

    [Fact]
    public void A_commit_without_a_branch_has_none()
    {
        using var folder = Repository(Hash + "\n");

        Assert.Equal(new RecordedSource(null, Hash), Read(folder.Path));
    }

    [Fact]
    public void A_new_repository_has_a_branch_and_no_commit()
    {
        using var folder = Repository("ref: refs/heads/main\n");

        Assert.Equal(new RecordedSource("main", null), Read(folder.Path));
    }

    [Fact]
    public void A_worktree_has_its_own_head_and_the_repositorys_branches()
    {
        using var folder = Repository(
            "ref: refs/heads/main\n",
            ("refs/heads/side", Hash),
            ("refs/heads/main", Other),
            ("worktrees/w/HEAD", "ref: refs/heads/side\n"),
            ("worktrees/w/commondir", "../..\n")
        );
        var worktree = Folder(folder, "w");
        File.WriteAllText(Path.Combine(worktree, ".git"), "gitdir: ../.git/worktrees/w\n");

        Assert.Equal(new RecordedSource("side", Hash), Read(worktree));
    }

    [Theory]
    [InlineData("ref: refs/heads/../../../secret\n")]
    [InlineData("ref: refs/heads/main\n", "ref: refs/heads/main")] // a cycle
    [InlineData("")]
    [InlineData("not a hash\n")]
    public void An_invalid_commit_is_ignored(string head, string main = "text that is not a hash")
    {
        using var folder = Repository(head, ("refs/heads/main", main));
        folder.Write("secret", Hash);

        Assert.Null(Read(folder.Path)?.Commit);
    }

    [Fact]
    public void Reftable_hides_the_branch()
    {
        using var folder = Repository("ref: refs/heads/.invalid\n");

        Assert.Null(Read(folder.Path));
    }

    [Fact]
    public void A_missing_folder_gives_nothing() => Assert.Null(Read("/no/such/folder/" + Guid.NewGuid()));

    [Theory]
    [InlineData("GITHUB_REF_NAME", "GITHUB_SHA")]
    [InlineData("BUILD_SOURCEBRANCHNAME", "BUILD_SOURCEVERSION")]
    [InlineData("CI_COMMIT_BRANCH", "CI_COMMIT_SHA")]
    public void Variables_of_CI_come_before_git(string branch, string commit)
    {
        using var folder = Repository(Other);
        var variables = new Dictionary<string, string?> { [branch] = "nightly", [commit] = Hash };

        Assert.Equal(new RecordedSource("nightly", Hash), SourceReader.Read(folder.Path, variables.GetValueOrDefault));
    }

    [Fact]
    public void Empty_variables_are_none()
    {
        using var folder = Repository(Other);

        Assert.Equal(new RecordedSource(null, Other), SourceReader.Read(folder.Path, _ => ""));
    }

    [Fact]
    public void The_source_stands_in_recording_json()
    {
        using var folder = new TempFolder();
        var recording = RecordingFile.Read(TestFiles.Recording);
        Assert.Null(recording.Source);
        RecordingFile.Write(folder.Path, recording with { Source = new RecordedSource("main", Hash) });

        Assert.Contains(
            $"\"commit\": \"{Hash}\"",
            File.ReadAllText(Path.Combine(folder.Path, Recording.FileName)),
            StringComparison.Ordinal
        );
        Assert.Equal(new RecordedSource("main", Hash), RecordingFile.Read(folder.Path).Source);
    }

    private static RecordedSource? Read(string folder) => SourceReader.Read(folder, _ => null);

    private static string Folder(TempFolder folder, string name) => Directory.CreateDirectory(Path.Combine(folder.Path, name)).FullName;

    private static TempFolder Repository(string head, params (string Name, string Text)[] files)
    {
        var folder = new TempFolder();
        foreach (var (name, text) in files.Prepend(("HEAD", head)))
        {
            var path = Path.Combine(folder.Path, ".git", name);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, text);
        }

        return folder;
    }
}
