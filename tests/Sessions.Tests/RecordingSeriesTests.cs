using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Several recordings and their index, by really recording a program of known behaviour.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class RecordingSeriesTests : IDisposable
{
    private static readonly string s_program = Path.Combine(
        AppContext.BaseDirectory,
        "TestProgram" + (OperatingSystem.IsWindows() ? ".exe" : "")
    );

    private readonly string _root = Directory.CreateTempSubdirectory("esp-test-").FullName;

    private string Folder => Path.Combine(_root, "series");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task What_cannot_be_started_is_a_problem_in_the_index_and_the_others_are_recorded()
    {
        var missing = Member("a", "runs", "1");
        missing = missing with { Options = missing.Options with { Command = [Path.Combine(_root, "no-such-program")] } };
        var series = await RunAsync(
            [missing, Member("b", "runs", "1"), Member("c d", "plain")],
            ["net472: no Mono"],
            TestContext.Current.CancellationToken
        );

        Assert.False(series.Interrupted);
        Assert.Equal(["b in b", "c d in c d"], series.Index.Recordings.Select(recording => $"{recording.Label} in {recording.Folder}"));
        Assert.Equal(2, series.Index.Problems.Count);
        Assert.Equal("net472: no Mono", series.Index.Problems[0]);
        Assert.StartsWith("a: cannot start", series.Index.Problems[1], StringComparison.Ordinal);
        Assert.Equivalent(series.Index, RecordingIndexFile.Read(Folder));
        Assert.All(
            series.Index.Recordings,
            recording => Assert.Single(RecordingFile.Read(RecordingIndexFile.FolderOf(Folder, recording)).Processes)
        );
    }

    [Fact]
    public async Task Interrupted_in_the_second_it_keeps_both_and_makes_no_third()
    {
        using var interrupt = new CancellationTokenSource();
        var runs = Path.Combine(Folder, "b", Recording.RunsFileName);
        var recording = RunAsync(
            [Member("a", "plain"), Member("b", "until", Path.Combine(_root, "never"), runs), Member("c", "plain")],
            [],
            interrupt.Token
        );
        await Wait.UntilAsync(() => File.Exists(runs), "the second recording's first run", () => recording.IsCompleted);
        // A recorder that is killed now leaves it.
        Assert.Equal(["a"], RecordingIndexFile.Read(Folder).Recordings.Select(kept => kept.Label));
        await interrupt.CancelAsync();
        var series = await recording;

        Assert.True(series.Interrupted);
        Assert.Equal(["a", "b"], RecordingIndexFile.Read(Folder).Recordings.Select(kept => kept.Label));
        Assert.Equal(["c: not recorded because the user interrupted"], series.Index.Problems);
        Assert.Equal([false, true], series.Results.Select(result => result.Recording.EndedByUser));
    }

    [Fact]
    public async Task Without_any_recording_nothing_is_left_behind()
    {
        var missing = Member("a");
        var series = await RunAsync(
            [missing with { Options = missing.Options with { Command = [Path.Combine(_root, "no-such-program")] } }],
            [],
            TestContext.Current.CancellationToken
        );

        Assert.Empty(series.Results);
        Assert.False(Directory.Exists(Folder));
    }

    [Fact]
    public async Task A_recording_of_nothing_is_a_problem_in_the_index_and_has_no_folder()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "uses /bin/true");
        var nothing = Member("a");
        var series = await RunAsync(
            [nothing with { Options = nothing.Options with { Command = ["/bin/true"] } }, Member("b", "plain")],
            [],
            TestContext.Current.CancellationToken
        );

        Assert.Equal(["b"], RecordingIndexFile.Read(Folder).Recordings.Select(recording => recording.Label));
        Assert.Equal(["a: nothing was recorded"], series.Index.Problems);
        Assert.Contains("no .NET runtime connected", Assert.Single(series.Failures).Fix, StringComparison.Ordinal);
        Assert.Equal([Path.Combine(Folder, "b")], Directory.GetDirectories(Folder));
    }

    [Fact]
    public void A_folder_that_holds_something_is_refused()
    {
        File.WriteAllText(Path.Combine(_root, "something"), "");
        Assert.Throws<ProblemException>(() => RecordingSeries.CheckFolder(_root));
    }

    private Task<SeriesResult> RunAsync(IReadOnlyList<SeriesMember> members, IReadOnlyList<string> problems, CancellationToken interrupt) =>
        RecordingSeries.RunAsync(Folder, "test", members, problems, _ => null, interrupt);

    private SeriesMember Member(string label, params string[] arguments) =>
        new(
            label,
            new RecordOptions
            {
                Command = [s_program, .. arguments],
                Folder = Path.Combine(Folder, label),
                Sessions = EventPipePlan.Create([EventPipePlan.ClrSession], AllocationEvents.None),
                ToolVersion = "test",
            }
        );
}
