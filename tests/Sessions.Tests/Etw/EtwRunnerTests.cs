using EtwSerializerProfiler.Sessions.Etw.Ownership;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Running;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using EtwSerializerProfiler.Sessions.Etw.Tools;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests.Etw;

/// <summary>Steps really executed, with fake tools: the exact commands, and the undo when something fails.</summary>
[Collection(FakeTools.Name)]
public sealed class EtwRunnerTests : IDisposable
{
    private readonly FakeTools _tools = new();
    private readonly TempFolder _folder = new();
    private readonly TempFolder _ledgerFolder = new();
    private readonly EtwLedger _ledger;

    public EtwRunnerTests()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "the fake tools are shell scripts");
        _ledger = new EtwLedger(_ledgerFolder.Path);
    }

    public void Dispose()
    {
        _tools.Dispose();
        _folder.Dispose();
        _ledgerFolder.Dispose();
    }

    [Fact]
    public async Task Xperf_records_to_files()
    {
        var result = await RunAsync(EtwTool.Xperf, "echo ran > \"$1/ran\"; echo $DOTNET_RichDebugInfo >> \"$1/ran\"");

        Assert.Equal("", result.Error);
        Assert.Equal(0, result.ExitCode);
        Assert.Equal("ran\n1\n", await File.ReadAllTextAsync(Path.Combine(_folder.Path, "ran"), TestContext.Current.CancellationToken));
        Assert.Equal(
            [
                "xperf -loggers",
                "xperf -start esp-1-clr -on",
                "xperf -start esp-1-code -on",
                "xperf -on PROC_THREAD+LOADER",
                "xperf -loggers",
                "xperf -stop esp-1-clr -stop esp-1-code -stop NT Kernel Logger",
                "xperf -start esp-1-rundown -on",
                "xperf -stop esp-1-rundown",
                "xperf -merge OUT/clr.etl OUT/code.etl OUT/rundown.etl OUT/kernel.etl OUT/merged.etl",
            ],
            Beginnings(
                "xperf -start esp-1-clr -on",
                "xperf -start esp-1-code -on",
                "xperf -on PROC_THREAD+LOADER",
                "xperf -start esp-1-rundown -on"
            )
        );
        Assert.Empty(_tools.Sessions);
        Assert.Empty(_ledger.Read(out _));

        // The file that the fake merge copied has one run and a GC.
        Assert.Equal((1L, 1L), (result.Check!.RunsStarted, result.Check.RunsStopped));
        Assert.Empty(result.Check.Problems);
        Assert.All(result.Steps, step => Assert.Equal("", step.Error));
    }

    [Fact]
    public async Task Circular_memory_is_flushed_at_once_then_stopped()
    {
        var result = await RunAsync(
            EtwTool.Tracelog,
            "true",
            options => options with { Mode = RecordingMode.Circular(64 << 20), RundownWait = TimeSpan.Zero }
        );

        Assert.Equal("", result.Error);
        Assert.Equal(
            [
                "xperf -flush esp-1-clr -f OUT/clr.etl -flush esp-1-code -f OUT/code.etl -flush esp-1-kernel -f OUT/kernel.etl",
                "xperf -stop esp-1-clr -stop esp-1-code -stop esp-1-kernel",
                "xperf -merge OUT/clr.etl OUT/code.etl OUT/kernel.etl OUT/merged.etl",
            ],
            _tools.Log(_folder.Path).TakeLast(3)
        );
        Assert.Empty(_tools.Sessions);
    }

    /// <summary>Whichever step fails: the sessions started before are stopped in reverse order, and none is left.</summary>
    [Theory]
    [InlineData("xperf -start esp-1-clr", "")]
    [InlineData("xperf -start esp-1-code", "xperf -stop esp-1-clr")]
    [InlineData("xperf -on PROC", "xperf -stop esp-1-code|xperf -stop esp-1-clr")]
    [InlineData("xperf -stop esp-1-clr -stop", "xperf -stop NT Kernel Logger|xperf -stop esp-1-code|xperf -stop esp-1-clr")]
    [InlineData("xperf -merge", "")]
    public async Task A_failure_in_any_step_takes_back_the_steps_done(string failing, string undone)
    {
        _tools.FailAt(failing, 183, "xperf: error: NT Kernel Logger: Cannot create a file when that file already exists. (0xb7).");

        var result = await RunAsync(EtwTool.Xperf, "true");

        Assert.Contains("0x800700B7 (ERROR_ALREADY_EXISTS)", result.Error, StringComparison.Ordinal);
        Assert.Contains("Cannot create a file", result.Error, StringComparison.Ordinal);
        var log = _tools.Log(_folder.Path);
        var at = log.ToList().FindLastIndex(line => line.Contains(failing, StringComparison.Ordinal));
        Assert.Equal(undone.Split('|', StringSplitOptions.RemoveEmptyEntries), log.Skip(at + 1));
        Assert.Empty(_tools.Sessions);
        Assert.Empty(_ledger.Read(out _));
        Assert.Equal(
            failing.Contains("-merge", StringComparison.Ordinal) || failing.Contains("-stop", StringComparison.Ordinal) ? 0 : null,
            result.ExitCode
        );
    }

    /// <summary>Only names of methods depend on the rundown: without it, the other files are merged.</summary>
    [Theory]
    [InlineData("xperf -start esp-1-rundown", 1)]
    [InlineData("xperf -stop esp-1-rundown", 2)]
    public async Task A_rundown_that_fails_does_not_keep_the_recording_from_being_merged(string failing, int notes)
    {
        _tools.FailAt(failing, 183, "xperf: error: NT Kernel Logger: Cannot create a file when that file already exists. (0xb7).");

        var result = await RunAsync(EtwTool.Xperf, "true");

        Assert.Equal("", result.Error);
        Assert.NotNull(result.Check);
        Assert.Contains("no names of methods: ", result.Notes[0], StringComparison.Ordinal);
        Assert.Equal(notes, result.Notes.Count);
        Assert.Equal("xperf -merge OUT/clr.etl OUT/code.etl OUT/kernel.etl OUT/merged.etl", _tools.Log(_folder.Path)[^1]);

        // The ledger keeps the session that could not be stopped.
        Assert.Equal(notes - 1, _ledger.Read(out _).Count);
        Assert.Equal(notes - 1, _tools.Sessions.Count);
    }

    /// <summary>Even an error outside of any step leaves no session behind.</summary>
    [Fact]
    public async Task An_error_of_any_kind_takes_back_the_steps_done()
    {
        var steps = EtwStepFactory.Create(EtwTool.Xperf, Plan(options => options), Target("true"));
        var options = Options(isElevated: true) with
        {
            OnStep = title =>
                _ = title.StartsWith("run the program", StringComparison.Ordinal)
                    ? throw new InvalidOperationException("unforeseen")
                    : title,
        };

        await Assert.ThrowsAsync<InvalidOperationException>(() =>
            EtwRunner.RunAsync(steps, options, TestContext.Current.CancellationToken)
        );

        Assert.Equal(
            ["xperf -stop NT Kernel Logger", "xperf -stop esp-1-code", "xperf -stop esp-1-clr"],
            _tools.Log(_folder.Path).TakeLast(3)
        );
        Assert.Empty(_tools.Sessions);
        Assert.Empty(_ledger.Read(out _));
    }

    [Fact]
    public async Task The_sample_interval_is_set_back_when_a_later_step_fails()
    {
        _tools.FailAt("xperf -start esp-1-code", 5, "denied");

        var result = await RunAsync(EtwTool.Xperf, "true", options => options with { SampleInterval = 1221 });

        Assert.Contains("0x80070005", result.Error, StringComparison.Ordinal);
        Assert.Equal(["xperf -stop esp-1-clr", "xperf -SetProfInt 10000 cached"], _tools.Log(_folder.Path).TakeLast(2));
        Assert.Contains("xperf -SetProfInt 1221 cached", _tools.Log(_folder.Path));
    }

    [Fact]
    public async Task What_cannot_be_taken_back_does_not_keep_the_rest_from_it_and_leaves_the_note()
    {
        _tools.FailAt("xperf -on PROC", 170, "busy");
        _tools.FailAt("xperf -stop esp-1-code", 5, "denied");

        var result = await RunAsync(EtwTool.Xperf, "true");

        Assert.Contains("0x800700AA", result.Error, StringComparison.Ordinal);
        Assert.Equal(["esp-1-code"], _tools.Sessions);
        Assert.Contains(
            result.Notes,
            note =>
                note.Contains("could not undo: start session code", StringComparison.Ordinal)
                && note.Contains("esp-record sessions", StringComparison.Ordinal)
        );
        Assert.Equal(["esp-1-clr", "esp-1-code", "NT Kernel Logger", "esp-1-rundown"], Assert.Single(_ledger.Read(out _)).Sessions);
    }

    [Fact]
    public async Task An_interrupt_while_the_program_runs_ends_it_and_finishes_the_recording()
    {
        using var interrupt = new CancellationTokenSource();
        var running = RunAsync(EtwTool.Xperf, "touch \"$1/up\"; exec sleep 60", interrupt: interrupt.Token);
        await Wait.UntilAsync(() => File.Exists(Path.Combine(_folder.Path, "up")), "the program is up");

        await interrupt.CancelAsync();
        var result = await running;

        Assert.True(result.Interrupted);
        Assert.Equal("", result.Error);
        Assert.NotNull(result.Check);
        Assert.Empty(_tools.Sessions);
        Assert.Empty(_ledger.Read(out _));
    }

    [Fact]
    public async Task An_interrupt_while_a_session_starts_takes_everything_back()
    {
        _tools.HangAt("xperf -on PROC");
        using var interrupt = new CancellationTokenSource();
        var running = RunAsync(EtwTool.Xperf, "touch \"$1/up\"", interrupt: interrupt.Token);
        await Wait.UntilAsync(() => _tools.IsHanging, "the tool hangs");

        await interrupt.CancelAsync();
        var result = await running;

        Assert.True(result.Interrupted);
        Assert.Contains("nothing was recorded", result.Error, StringComparison.Ordinal);

        // The killed start of the kernel session may have succeeded, so the session is stopped, too.
        Assert.Equal(
            ["xperf -stop NT Kernel Logger", "xperf -stop esp-1-code", "xperf -stop esp-1-clr"],
            _tools.Log(_folder.Path).TakeLast(3)
        );
        Assert.False(File.Exists(Path.Combine(_folder.Path, "up")));
        Assert.Empty(_tools.Sessions);
    }

    [Fact]
    public async Task Somebody_elses_kernel_session_is_left_alone()
    {
        _tools.Run("NT Kernel Logger");

        var result = await RunAsync(EtwTool.Xperf, "true");

        Assert.Contains("session 'NT Kernel Logger' is already running: not started by esp-record", result.Error, StringComparison.Ordinal);
        Assert.Contains("check whether another profiler", result.Error, StringComparison.Ordinal);
        Assert.Equal(["xperf -loggers"], _tools.Log(_folder.Path));
        Assert.Equal(["NT Kernel Logger"], _tools.Sessions);
    }

    [Fact]
    public async Task A_session_that_was_started_without_being_there_is_noticed_before_the_program_runs()
    {
        _tools.ForgetSessions();

        var result = await RunAsync(EtwTool.Xperf, "touch \"$1/up\"");

        Assert.Contains(
            "started without an error, but not running: esp-1-clr, esp-1-code, NT Kernel Logger",
            result.Error,
            StringComparison.Ordinal
        );
        Assert.False(File.Exists(Path.Combine(_folder.Path, "up")));
    }

    [Fact]
    public async Task Without_elevation_nothing_is_started()
    {
        var result = await RunAsync(EtwTool.Xperf, "true", isElevated: false);

        Assert.Contains("not elevated", result.Error, StringComparison.Ordinal);
        Assert.Contains("Run as administrator", result.Error, StringComparison.Ordinal);
        Assert.Empty(_tools.Log(_folder.Path));
        Assert.Empty(_ledger.Read(out _));
    }

    [Fact]
    public async Task A_missing_tool_is_named_before_anything_is_started()
    {
        _tools.Remove("tracelog");

        var result = await RunAsync(EtwTool.Tracelog, "true");

        Assert.Contains("tracelog was not found; tracelog is part of the Windows Driver Kit", result.Error, StringComparison.Ordinal);
        Assert.Empty(_tools.Log(_folder.Path));
    }

    [Fact]
    public async Task A_program_that_cannot_be_started_takes_the_sessions_back()
    {
        var steps = EtwStepFactory.Create(
            EtwTool.Xperf,
            Plan(options => options),
            new EtwTarget(_folder.Path, ["/no/such/program"]) { Separator = '/' }
        );

        var result = await EtwRunner.RunAsync(steps, Options(isElevated: true), TestContext.Current.CancellationToken);

        Assert.Contains("/no/such/program", result.Error, StringComparison.Ordinal);
        Assert.Empty(_tools.Sessions);
    }

    [Fact]
    public async Task A_program_that_fails_is_recorded_all_the_same()
    {
        var result = await RunAsync(EtwTool.Xperf, "exit 7");

        Assert.Equal((7, ""), (result.ExitCode, result.Error));
        Assert.NotNull(result.Check);
    }

    [Fact]
    public async Task Wpr_is_given_the_profile_of_this_plan()
    {
        var steps = EtwStepFactory.Create(
            EtwTool.Wpr,
            Plan(options => options with { SampleInterval = 1221 }),
            Target("cp \"$1/sessions.wprp\" \"$1/seen\"")
        );
        _tools.FailAt("wpr -stop", 0, "merged"); // the fake has no file to copy for -stop; the trace is put there below
        File.Copy(ToolFile("merged.etl"), Path.Combine(_folder.Path, "merged.etl"));

        var result = await EtwRunner.RunAsync(steps, Options(isElevated: true), TestContext.Current.CancellationToken);

        Assert.Equal("", result.Error);
        var profile = System
            .Xml.Linq.XDocument.Parse(
                await File.ReadAllTextAsync(Path.Combine(_folder.Path, "seen"), TestContext.Current.CancellationToken)
            )
            .Descendants("Profile")
            .Single(profile => profile.Attribute("LoggingMode")!.Value == "File");
        Assert.Equal(("SerializerRuns.Verbose.File", "SerializerRuns"), (profile.Attribute("Id")!.Value, profile.Attribute("Name")!.Value));
        Assert.Equal(
            [
                "wpr -status",
                "wpr -setprofint 1221",
                "wpr -start OUT/sessions.wprp!SerializerRuns.Verbose -filemode -recordtempto OUT -instancename esp-1-wpr",
                "wpr -stop OUT/merged.etl EtwSerializerProfiler Runs -skipPdbGen -instancename esp-1-wpr",
                "wpr -resetprofint",
            ],
            _tools.Log(_folder.Path)
        );
    }

    private static string ToolFile(string name) =>
        Path.Combine(Environment.GetEnvironmentVariable("PATH")!.Split(Path.PathSeparator)[0], name);

    private static EtwPlan Plan(Func<EtwPlanOptions, EtwPlanOptions> choose) =>
        EtwPresets.Create(
            choose(new EtwPlanOptions { SessionPrefix = "esp-1-", RundownWait = TimeSpan.FromMilliseconds(1) }),
            EtwMachine.Typical
        );

    private EtwTarget Target(string script) => new(_folder.Path, ["/bin/sh", "-c", script, "program", _folder.Path]) { Separator = '/' };

    private EtwRunOptions Options(bool isElevated) =>
        new()
        {
            Executor = new ToolStepExecutor(),
            Ledger = _ledger,
            IsElevated = () => isElevated,
        };

    private Task<EtwRunResult> RunAsync(
        EtwTool tool,
        string script,
        Func<EtwPlanOptions, EtwPlanOptions>? choose = null,
        bool isElevated = true,
        CancellationToken? interrupt = null
    ) =>
        EtwRunner.RunAsync(
            EtwStepFactory.Create(tool, Plan(choose ?? (options => options)), Target(script)),
            Options(isElevated),
            interrupt ?? TestContext.Current.CancellationToken
        );

    /// <summary>The log, lines that begin with one of the texts cut to it.</summary>
    private IEnumerable<string> Beginnings(params string[] texts) =>
        _tools.Log(_folder.Path).Select(line => texts.FirstOrDefault(text => line.StartsWith(text, StringComparison.Ordinal)) ?? line);
}
