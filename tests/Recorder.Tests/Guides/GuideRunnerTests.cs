using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Recorder.Commands.Guides;
using EtwSerializerProfiler.Reports.Guides;
using EtwSerializerProfiler.Sessions.Publishing;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Recorder.Tests.Guides;

/// <summary>The plan of a guide, and its steps with a stand-in for esp-record.</summary>
public sealed class GuideRunnerTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("esp-guide-").FullName;
    private readonly StringWriter _progress = new();

    /// <summary>Arguments of each call of the stand-in.</summary>
    private readonly List<string[]> _calls = [];

    public void Dispose()
    {
        Directory.Delete(_folder, recursive: true);
        _progress.Dispose();
    }

    [Fact]
    public async Task Steps_are_made_once_and_an_interrupted_guide_continues_with_the_interrupted_step()
    {
        Assert.Equal(ExitCode.Interrupted, await RunAsync((key, _) => key == GuideKeys.Threads ? ExitCode.Interrupted : ExitCode.Done));
        Assert.Equal([GuideStepState.Done, GuideStepState.Begun, GuideStepState.Planned], States());
        Assert.True(File.Exists(Path.Combine(_folder, GuideKeys.Threads, "recording.json"))); // what the interrupted step left

        _calls.Clear();
        Assert.Equal(ExitCode.Done, await RunAsync((_, _) => ExitCode.Done));

        Assert.Equal([GuideStepState.Done, GuideStepState.Done, GuideStepState.Done], States());
        Assert.Equal([GuideKeys.Threads, GuideKeys.Features], _calls.Select(KeyOf));
        Assert.Contains("step 1 of 3, throughput: done before", _progress.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_step_that_is_done_is_made_again_when_its_recording_was_deleted()
    {
        await RunAsync((_, _) => ExitCode.Done);
        _calls.Clear();
        Directory.Delete(Path.Combine(_folder, GuideKeys.Threads), recursive: true);

        Assert.Equal(ExitCode.Done, await RunAsync((_, _) => ExitCode.Done));

        Assert.Equal([GuideKeys.Threads], _calls.Select(KeyOf));
    }

    [Fact]
    public async Task A_step_that_fails_keeps_its_reason_and_the_others_continue()
    {
        Assert.Equal(
            ExitCode.Failed,
            await RunAsync(
                (key, error) =>
                {
                    if (key != GuideKeys.Threads)
                        return ExitCode.Done;
                    error.WriteLine("esp-record: error: no disk");
                    return ExitCode.NotPossible;
                }
            )
        );

        Assert.Equal([GuideStepState.Done, GuideStepState.Failed, GuideStepState.Done], States());
        Assert.Equal("error: no disk", Read().Steps[1].Outcome);
        Assert.Contains("error: no disk", _progress.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_scenario_with_a_failed_row_is_done_and_keeps_its_table()
    {
        GuideStep[] steps = [new("scenario-graph", "Graphs.", ["record", "-scenario", "graph"])];

        Assert.Equal(
            ExitCode.Done,
            await RunAsync(
                (_, error) =>
                {
                    error.WriteLine("row 1\nFound: present on this runtime (.NET 10): 3 of 7\nReport: x");
                    return ExitCode.Failed;
                },
                steps
            )
        );

        Assert.Equal((GuideStepState.Done, ""), (Read().Steps[0].State, Read().Steps[0].Outcome));
        var log = await File.ReadAllTextAsync(Path.Combine(_folder, "scenario-graph.txt"), TestContext.Current.CancellationToken);
        Assert.Contains("row 1", log, StringComparison.Ordinal);
        Assert.Contains("--no-config", _calls[0]); // an esp.json may name a program of its own
    }

    [Fact]
    public void A_plan_names_commands_that_a_user_can_call()
    {
        var machine = new RuntimeMachine("/dotnet", HasSdk: true, ["10.0.12"], null, "linux-x64", IsWindows: false) { Linker = "gcc" };
        var plan = new GuidePlan(GuideLevel.Full, new() { Serializers = [new("MemoryPack", true)], PayloadBytes = 7 }, [], machine);

        var steps = plan.Steps();

        Assert.All(steps, step => Assert.Empty(EspRecord(step.Arguments)));
        Assert.Contains("-n 1,10,100,1000,10000,100000,1000000", steps[0].Command, StringComparison.Ordinal);
        const string Runtimes = "--runtime net10.0,net8.0,net10.0-aot -serializer #MemoryPack -payload 7";
        Assert.Contains(Runtimes, steps[^2].Command, StringComparison.Ordinal);

        static IEnumerable<string> EspRecord(IReadOnlyList<string> arguments) =>
            Commands.EspRecord.Parse([.. arguments], out _).Errors.Select(error => error.Message);
    }

    [Theory]
    [InlineData(false, "gcc", "publishing the suite for another one needs the .NET SDK")]
    [InlineData(true, null, "NativeAOT is not measured: it needs a linker")]
    public void Steps_that_this_machine_cannot_make_are_left_out_with_reason_and_fix(bool hasSdk, string? linker, string note)
    {
        var machine = new RuntimeMachine("/dotnet", hasSdk, ["10.0.12"], null, "linux-x64", IsWindows: false) { Linker = linker };
        var plan = new GuidePlan(GuideLevel.Quick, new(), [], machine);

        Assert.DoesNotContain(plan.Steps(), step => step.Key == GuideKeys.Runtimes);
        Assert.Contains(plan.LeftOut, step => step.Key == GuideKeys.Runtimes && step.Reason.Contains(note, StringComparison.Ordinal));
        Assert.All(plan.LeftOut, step => Assert.NotEmpty(step.Fix));
    }

    [Fact]
    public void A_selection_of_serializers_leaves_out_scenarios_about_other_ones()
    {
        var machine = new RuntimeMachine("/dotnet", HasSdk: true, ["10.0.12"], null, "linux-x64", IsWindows: false) { Linker = "gcc" };
        string[] Keys(GuidePlan plan) => [.. plan.Steps().Where(step => step.IsScenario).Select(step => step.Key["scenario-".Length..])];

        var plan = new GuidePlan(GuideLevel.Quick, new() { Serializers = [new("SystemTextJson", true)] }, [], machine);
        Assert.Equal(["graph", "large", "gc-heavy", "exceptions"], Keys(plan));
        Assert.Equal(
            ["scenario-base64-crlf", "scenario-contention", "scenario-quadratic"],
            plan.LeftOut.Where(step => step.Key != GuideKeys.Threads).Select(step => step.Key)
        );
        Assert.Contains("BinaryFormatter, which -serializer leaves out", plan.LeftOut[^1].Reason, StringComparison.Ordinal);
        var graph = plan.Steps().Single(step => step.Key == "scenario-graph");
        Assert.Equal("esp-record record -scenario graph -serializer #SystemTextJson", graph.Command);

        Assert.Contains(
            "contention",
            Keys(new GuidePlan(GuideLevel.Quick, new() { Serializers = [new("DataContractJson", true)] }, [], machine))
        );
        Assert.Equal(ScenarioCatalog.All.Count, Keys(new GuidePlan(GuideLevel.Quick, new(), [], machine)).Length);
        var own = new GuidePlan(GuideLevel.Quick, new() { Serializers = [new("MyOwn", true)], Plugins = ["My.dll"] }, [], machine);
        Assert.DoesNotContain("graph", Keys(own)); // it knows only the suite's serializers
    }

    [Fact]
    public void Times_of_done_steps_correct_the_estimate_of_the_others()
    {
        GuideStep[] steps =
        [
            new("a", "a", ["record"])
            {
                EstimatedSeconds = 10,
                Seconds = 30,
                State = GuideStepState.Done,
            },
            new("b", "b", ["record"]) { EstimatedSeconds = 20 },
            new("c", "c", ["record"]) { EstimatedSeconds = 100 },
        ];

        Assert.Equal("done, 30 s", GuideTime.Of(steps[0]));
        Assert.Equal("about 20 s", GuideTime.Of(steps[1]));
        Assert.Equal("about 6 min left", GuideTime.Left(steps)); // (20 + 100) s, three times
        Assert.Equal("nothing left", GuideTime.Left(steps[..1]));
    }

    [Fact]
    public void The_estimate_grows_with_objects_and_serializers()
    {
        var one = new GuideEstimate(1);
        var many = new GuideEstimate(10);

        Assert.True(one.Runs([1_000_000], 8) > one.Runs([1_000], 8));
        Assert.True(many.Runs([1_000], 8) > one.Runs([1_000], 8));
        Assert.True(one.Runs([1_000], 8, [1, 2]) > one.Runs([1_000], 8));
        Assert.True(one.FirstCalls(5, bothVariants: true) > one.FirstCalls(5, bothVariants: false));
    }

    [Fact]
    public async Task A_compared_file_of_something_else_is_refused_before_anything_starts()
    {
        var other = Path.Combine(_folder, "other.json");
        await File.WriteAllTextAsync(other, "{}", TestContext.Current.CancellationToken);
        var folder = Path.Combine(_folder, "guide");

        var result = await Tool.RecordHereAsync("guide", "--compare", other, "--out", folder);

        Assert.Equal(ExitCode.Unreadable, result.ExitCode);
        Assert.Contains("it is JSON of something else", result.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(folder));
        var same = await Tool.RecordHereAsync("guide", "--compare", Path.Combine(folder, "guide.json"), "--out", folder);
        Assert.Equal(ExitCode.Usage, same.ExitCode);
        Assert.Contains("--compare names the file that this guide writes", same.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_recording_that_the_user_ended_is_made_again()
    {
        Assert.Equal(
            ExitCode.Interrupted,
            await RunAsync(
                (key, _) =>
                {
                    if (key == GuideKeys.Threads)
                        Record(Path.Combine(_folder, key), isEndedByUser: true);
                    return ExitCode.Done; // as 'record' returns
                }
            )
        );

        Assert.Equal([GuideStepState.Done, GuideStepState.Begun, GuideStepState.Planned], States());
    }

    [Fact]
    public async Task A_dry_run_prints_the_steps_and_writes_nothing()
    {
        var folder = Path.Combine(_folder, "guide");

        var result = await Tool.RecordAsync("guide", "--dry-run", "-serializer", "#MemoryPack", "-n", "10,100", "--out", folder);

        Assert.True(result.ExitCode == ExitCode.Done, result.Error);
        Assert.Contains("    esp-record record -serializer #MemoryPack -n 10,100 -runs 4", result.Output, StringComparison.Ordinal);
        Assert.Contains("    esp-record record -scenario graph", result.Output, StringComparison.Ordinal);
        Assert.False(Directory.Exists(folder));
    }

    [Fact]
    public async Task A_folder_with_other_steps_is_left_alone()
    {
        new GuideSteps(GuideSteps.CurrentSchema, "1", [new("throughput", "a", ["record", "-n", "5"])]).Write(_folder);

        var result = await Tool.RecordAsync("guide", "--out", _folder);

        Assert.Equal(ExitCode.Usage, result.ExitCode);
        Assert.Contains("this folder has a guide with other steps", result.Error, StringComparison.Ordinal);
        Assert.Equal([GuideStepState.Planned], States());
    }

    [Fact]
    public async Task Quick_and_full_exclude_each_other()
    {
        var result = await Tool.RecordAsync("guide", "--quick", "--full", "--dry-run");

        Assert.Equal(ExitCode.Usage, result.ExitCode);
        Assert.Contains("--quick and --full exclude each other", result.Error, StringComparison.Ordinal);
    }

    /// <summary>Writes the description of a recording.</summary>
    private static void Record(string folder, bool isEndedByUser)
    {
        var host = new RecordingHost("m", "Linux", "X64", "", 2, 1);
        var recording = new Recording(Recording.CurrentSchema, "1", DateTime.UnixEpoch, 1, true, "", [], "", true, host, [], [], "", []);
        RecordingFile.Write(folder, recording with { EndedByUser = isEndedByUser });
    }

    private static string KeyOf(string[] arguments) => Path.GetFileName(arguments[Array.IndexOf(arguments, "--out") + 1]);

    private GuideSteps Read() => GuideSteps.Read(_folder)!;

    private IEnumerable<GuideStepState> States() => Read().Steps.Select(step => step.State);

    private Task<int> RunAsync(Func<string, TextWriter, int> record, IReadOnlyList<GuideStep>? planned = null)
    {
        planned ??=
        [
            new(GuideKeys.Throughput, "a", ["record"]),
            new(GuideKeys.Threads, "b", ["record"]),
            new(GuideKeys.Features, "c", ["features"]),
        ];
        var steps = GuideSteps.Read(_folder) ?? new GuideSteps(GuideSteps.CurrentSchema, "1", planned);
        return new GuideRunner(_folder, steps, _progress, RecordAsync).RunAsync();

        async Task<int> RecordAsync(string[] arguments, TextWriter output, TextWriter error)
        {
            _calls.Add(arguments);
            var place = arguments[Array.IndexOf(arguments, "--out") + 1];
            if (arguments[0] == "features")
                await File.WriteAllTextAsync(place, "serializer");
            else
                Record(Directory.CreateDirectory(place).FullName, isEndedByUser: false);
            return record(KeyOf(arguments), error);
        }
    }
}
