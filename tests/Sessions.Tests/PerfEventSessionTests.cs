using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Tracepoints;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>
/// The perf session, by really recording; with the rights of the current user, and also as an ordinary user when that is root.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class PerfEventSessionTests : IDisposable
{
    /// <summary>
    /// Set in recorders that are to be killed: the path of a file they report to; empty in the run that an ordinary user makes.
    /// </summary>
    private const string InnerRun = OrdinaryUser.InnerRun;

    private readonly PerfRecordingFixture _recording;

    public PerfEventSessionTests()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        _recording = new PerfRecordingFixture();
    }

    public void Dispose() => _recording.Dispose();

    /// <summary>
    /// Between two samples of a thread lies 1 ms of its own CPU time. The switches give that time, so preemption does not disturb it; a
    /// hypervisor that stops the processor delays single samples, and neither their number nor their mean would hold then, but the median
    /// does. The last switch-out of an ending thread is not recorded: no time is known after its last sample.
    /// </summary>
    [Fact]
    public void A_spinning_thread_is_sampled_once_in_each_ms_of_its_CPU_time()
    {
        _recording.Record(PerfEventPlan.Create(PerfEventScope.Launch), "spin", "600", "2");

        var spinners = _recording
            .ThreadNames()
            .Where(pair => pair.Value == "spinner")
            .ToDictionary(pair => pair.Key, _ => new OnCpuClock());
        Assert.Equal(2, spinners.Count);
        var (chains, samples) = (0, 0);
        using var reader = PerfDataReader.Open(_recording.Path);
        while (reader.TryRead(out var record))
        {
            if (record.Type == PerfRecordType.Switch && spinners.TryGetValue(record.Origin.ThreadId, out var switched))
                switched.Switch(record.Time, record.IsSwitchOut);
            if (
                !record.TryReadSample(out var sample)
                || sample.Event.Settings.Kind != PerfEventKind.Software
                || !spinners.TryGetValue(sample.ThreadId, out var spinner)
            )
                continue;
            spinner.Sample(record.Time);
            samples++;
            chains += sample.CallChain.Length > 1 ? 1 : 0;
            Assert.Equal(1_000_000UL, sample.Period);
        }

        Assert.All(spinners.Values, spinner => Assert.InRange(spinner.MedianGap, 950_000, 1_050_000));
        Assert.True(chains > 0.95 * samples, $"{chains} call chains of {samples} samples");
    }

    [Fact]
    public void Every_count_equals_an_independent_decoding_of_the_bytes()
    {
        _recording.Record(PerfEventPlan.Create(PerfEventScope.Launch), "waits", "50", "2");

        var expected = _recording.CountIndependently();
        var read = new Dictionary<int, long>();
        using var reader = PerfDataReader.Open(_recording.Path, new PerfReadOptions { Order = PerfRecordOrder.File });
        while (reader.TryRead(out var record))
            read[(int)record.Type] = read.GetValueOrDefault((int)record.Type) + 1;

        Assert.Equal(expected, read);
        Assert.Equal(expected[(int)PerfRecordType.Sample], _recording.Statistics.Samples);
        Assert.Equal(expected[(int)PerfRecordType.Switch], _recording.Statistics.Switches);
        Assert.True(_recording.Statistics.Switches >= 100, $"{_recording.Statistics.Switches} switches of 50 waits");
        Assert.Equal(0, _recording.Statistics.LostRecords);
        Assert.Equal(0, reader.UnknownSamples);
    }

    [Fact]
    public void Each_wait_is_a_switch_out_and_a_switch_in_of_the_thread_in_order()
    {
        var before = Stopwatch.GetTimestamp();
        _recording.Record(PerfEventPlan.Create(PerfEventScope.Launch), "waits", "100", "5");

        var waiter = Assert.Single(_recording.ThreadNames(), pair => pair.Value == "waiter").Key;
        using var reader = PerfDataReader.Open(_recording.Path);
        var left = 0L;
        var waits = new List<(long Left, long Back)>();
        while (reader.TryRead(out var record))
        {
            if (record.Type != PerfRecordType.Switch || record.Origin.ThreadId != waiter)
                continue;
            if (record.IsSwitchOut)
            {
                Assert.Equal(0, left);
                left = record.IsPreempted ? -1 : record.Time;
            }
            else
            {
                if (left > 0)
                    waits.Add((left, record.Time));
                left = 0;
            }
        }

        // By the program's own clock; other waits of the thread (a lock while it starts) are outside of its sleeps. A thread that is
        // preempted on its way to sleep sleeps less, but not for longer.
        var sleeps = _recording
            .Output.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => line.Split(' ').Select(number => long.Parse(number, CultureInfo.InvariantCulture)).ToArray())
            .ToList();
        Assert.Equal(100, sleeps.Count);
        Assert.All(sleeps, sleep => Assert.True(sleep[1] - sleep[0] >= 5_000_000));
        Assert.All(
            sleeps,
            sleep =>
            {
                var within = waits.Where(wait => wait.Left >= sleep[0] && wait.Back <= sleep[1]).ToList();
                Assert.InRange(within.Sum(wait => wait.Back - wait.Left), 1, sleep[1] - sleep[0]);
                Assert.True(within[^1].Back - sleep[0] >= 5_000_000, "back before its time");
            }
        );
        Assert.Equal(0, reader.LateRecords);
        Assert.True(reader.Features.LastTime - reader.Features.FirstTime >= 500_000_000);
        Assert.InRange(reader.Features.FirstTime, before, reader.Features.LastTime); // the same clock as the recorder's
        Assert.InRange(reader.Features.LastTime, before, Stopwatch.GetTimestamp());
    }

    [Fact]
    public void Every_one_of_64_short_threads_is_named()
    {
        _recording.Record(PerfEventPlan.Create(PerfEventScope.Launch), "threads", "64");

        var names = _recording.ThreadNames();
        Assert.Equal(
            Enumerable.Range(0, 64).Select(number => $"short-{number:D3}"),
            names.Values.Where(name => name.StartsWith("short-", StringComparison.Ordinal)).Order()
        );
        using var reader = PerfDataReader.Open(_recording.Path);
        var created = new HashSet<int>();
        while (reader.TryRead(out var record))
        {
            if (record.Type == PerfRecordType.Fork && record.TryReadTask(out var task))
                created.Add(task.ThreadId);
        }

        Assert.All(
            names.Where(pair => pair.Value.StartsWith("short-", StringComparison.Ordinal)),
            pair => Assert.Contains(pair.Key, created)
        );
    }

    [Fact]
    public void Lost_records_of_a_tiny_ring_are_reported_in_session_and_file()
    {
        // A tenth is lost. At 50,000 a second the program does little but take samples, for minutes on some machines.
        _recording.Record(
            PerfEventPlan.Create(PerfEventScope.Launch, 10_000) with
            {
                RingBytes = Environment.SystemPageSize,
            },
            "spin",
            "300",
            "4"
        );

        Assert.Equal(Environment.SystemPageSize, _recording.Drain.RingBytes);
        Assert.True(_recording.Statistics.LostRecords > 0, "4 KiB cannot hold 10,000 samples a second for 200 ms");
        var lost = 0L;
        using var reader = PerfDataReader.Open(_recording.Path);
        while (reader.TryRead(out var record))
            lost += record.LostCount;
        Assert.Null(reader.Damage);
        Assert.Equal(_recording.Statistics.LostRecords, lost);
    }

    /// <summary>The draining thread has precedence over the thousand, but not over the recorders of tests beside this one.</summary>
    [Fact]
    public void Next_to_nothing_is_lost_while_a_thousand_threads_want_the_processors()
    {
        Assert.SkipUnless(
            ThreadScheduling.Probe() == Precedence.HighestPriority,
            "without CAP_SYS_NICE the draining thread gets no more than its share"
        );

        _recording.Record(
            PerfEventPlan.Create(PerfEventScope.Launch, switchStackBytes: PerfEventPlan.DefaultSwitchStackBytes, ringBytes: 2 << 20),
            "crowd",
            "1000",
            "20"
        );

        Assert.Equal(Precedence.HighestPriority, _recording.Drain.Precedence);
        var statistics = _recording.Statistics;
        Assert.True(statistics.Switches >= 40_000, $"{statistics.Switches} switches of 20,000 sleeps");
        Assert.True(
            statistics.LostRecords * 20 <= statistics.Switches,
            $"{statistics.LostRecords} records lost beside {statistics.Switches} switches"
        );
    }

    [Fact]
    public async Task Attaching_covers_the_threads_that_run_and_their_names_and_mappings()
    {
        using var process = Process.Start(PerfRecordingFixture.Program(PerfRecordingFixture.Command("spin", "600000", "2")))!;
        await Wait.UntilAsync(() => SpinnersCpu().Count == 2, "two threads spin", () => process.HasExited);
        using (var session = PerfEventSession.Start(PerfEventPlan.Create(PerfEventScope.Attach), process.Id, _recording.Path, "test", []))
        {
            // The kernel updates the clock of a running thread at its ticks: at least half of it passes within the recording.
            var enough = SpinnersCpu().ToDictionary(pair => pair.Key, pair => pair.Value + 200_000_000);
            await Wait.UntilAsync(
                () => SpinnersCpu().All(pair => pair.Value > enough[pair.Key]),
                "both threads have spun for 200 ms",
                () => process.HasExited
            );
            session.Stop();
            Assert.Equal("", session.Error);
        }

        Dictionary<string, long> SpinnersCpu() =>
            Directory
                .GetDirectories($"/proc/{process.Id}/task")
                .Where(task => File.ReadAllText($"{task}/comm").Trim() == "spinner")
                .ToDictionary(
                    task => task,
                    task => long.Parse(File.ReadAllText($"{task}/schedstat").Split(' ')[0], CultureInfo.InvariantCulture)
                );

        process.Kill();
        process.WaitForExit();
        var spinners = _recording.ThreadNames().Where(pair => pair.Value == "spinner").ToDictionary(pair => pair.Key, _ => 0L);
        Assert.Equal(2, spinners.Count);
        var libraries = new List<string>();
        using var reader = PerfDataReader.Open(_recording.Path);
        while (reader.TryRead(out var record))
        {
            if (record.TryReadSample(out var sample) && spinners.TryGetValue(sample.ThreadId, out var count))
                spinners[sample.ThreadId] = count + 1;
            if (record.TryReadMapping(out var mapping))
                libraries.Add(System.Text.Encoding.UTF8.GetString(mapping.Path));
        }

        Assert.All(spinners.Values, samples => Assert.True(samples > 0));
        Assert.Contains(libraries, path => path.EndsWith("/libcoreclr.so", StringComparison.Ordinal));
    }

    [Fact]
    public void Root_sees_the_state_of_each_switch_and_each_sched_waking_of_a_thread()
    {
        var plan = PerfEventPlan.Create(PerfEventScope.Launch);
        Assert.SkipUnless(plan.Events.Count == 3, string.Join("; ", plan.Notes));
        _recording.Record(plan, "wakes", "100");

        var waiter = Assert.Single(_recording.ThreadNames(), pair => pair.Value == "waiter").Key;
        using var reader = PerfDataReader.Open(_recording.Path);
        var switches = Assert.Single(reader.Events, item => item.Name == "sched:sched_switch");
        var wakings = Assert.Single(reader.Events, item => item.Name == "sched:sched_waking");
        var switchLayout = SchedSwitchLayout.Create(switches)!;
        var wakingLayout = SchedWakingLayout.Create(wakings)!;
        var asleep = false;
        int sleeps = 0,
            wakes = 0,
            early = 0;
        while (reader.TryRead(out var record))
        {
            if (!record.TryReadSample(out var sample))
                continue;
            if (sample.Event == switches)
            {
                Assert.True(switchLayout.TryRead(sample.Raw, out var previous, out var state, out _));
                Assert.Equal(sample.ThreadId, previous);
                if (previous == waiter)
                    sleeps += (asleep = !SchedSwitchLayout.IsPreempted(state)) ? 1 : 0;
            }
            else if (sample.Event == wakings)
            {
                Assert.True(wakingLayout.TryRead(sample.Raw, out var thread, out _));
                if (thread != waiter)
                    continue;
                wakes += asleep ? 1 : 0;
                early += asleep ? 0 : 1;
                asleep = false;
            }
        }

        // Each sleep ends with a waking, which may come before its switch-out. The thread asks for its waking before it sleeps, so not each
        // of the 100 needs a sleep.
        Assert.InRange(sleeps, 1, wakes + early);
        Assert.InRange(wakes, 1, sleeps);
    }

    [Fact]
    public void A_process_that_has_ended_is_an_error()
    {
        using var process = Process.Start("/bin/true");
        process.WaitForExit();

        var error = Assert.Throws<PerfEventException>(() =>
            PerfEventSession.Start(PerfEventPlan.Create(PerfEventScope.Attach), process.Id, _recording.Path, "test", [])
        );

        Assert.Contains("has ended", error.Message, StringComparison.Ordinal);
        Assert.False(File.Exists(_recording.Path));
    }

    [Fact]
    public void The_process_of_another_user_is_refused_with_a_fix()
    {
        Assert.SkipWhen(PerfEventPermissions.Read().Privileged, "root may record every process");

        var error = Assert.Throws<PerfEventException>(() =>
            PerfEventSession.Start(PerfEventPlan.Create(PerfEventScope.Attach), 1, _recording.Path, "test", [])
        );

        Assert.Contains("run as its user or as root", error.Fix, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_killed_recorder_leaves_a_readable_file_and_the_program_ends()
    {
        var (recorder, program) = await StartRecorderAsync(nameof(A_recorder_that_will_be_killed_while_it_records));
        var file = _recording.Path;
        await Wait.UntilAsync(
            () => File.Exists(file) && Samples(file) >= 50 && _recording.ThreadNames(file).ContainsValue("spinner"),
            "50 samples and the thread's name are in the file",
            () => recorder.HasExited
        );

        recorder.Kill();
        await Wait.ForExitAsync(recorder);

        await Wait.UntilAsync(() => !IsRunning(program), "the program ends with its recorder");
        Assert.Contains("spinner", _recording.ThreadNames(file).Values);
        Assert.True(Samples(file) >= 50);

        // The header gets the data size and the feature bits (bytes 72 to 103) in one write, the last of a flush. A kill before it leaves
        // no bits, and may cut a record.
        if (File.ReadAllBytes(file).AsSpan(72, 32).ContainsAnyExcept((byte)0))
        {
            using var reader = PerfDataReader.Open(file);
            while (reader.TryRead(out _)) { }

            Assert.Null(reader.Damage);
            Assert.NotEqual("", reader.Features.HostName);
        }

        recorder.Dispose();

        static int Samples(string file)
        {
            using var reader = PerfDataReader.Open(file);
            var samples = 0;
            while (reader.TryRead(out var record))
                samples += record.Type == PerfRecordType.Sample ? 1 : 0;
            return samples;
        }
    }

    [Fact]
    public async Task A_gate_ends_when_its_recorder_is_killed()
    {
        var (recorder, gate) = await StartRecorderAsync(nameof(A_recorder_that_will_be_killed_before_it_opens_the_gate));

        recorder.Kill();

        await Wait.ForExitAsync(recorder);
        await Wait.UntilAsync(() => !IsRunning(gate), "the gate ends with its recorder");
        recorder.Dispose();
    }

    [Fact]
    public Task All_of_this_works_as_an_ordinary_user() => OrdinaryUser.RunAsync(typeof(PerfEventSessionTests), minTests: 10);

    /// <summary>
    /// Not a test: a recorder in a process of its own, started by
    /// <see cref="A_killed_recorder_leaves_a_readable_file_and_the_program_ends"/>.
    /// </summary>
    [Fact, HelperOfATest]
    public void A_recorder_that_will_be_killed_while_it_records()
    {
        var said = Environment.GetEnvironmentVariable(InnerRun)!;
        var mark = $"esp-test-{Guid.NewGuid():N}";
        var supervisor = Supervisor.Start(mark, []);
        Assert.NotNull(supervisor.ProcessId);
        using var gate = new GatedLaunch(PerfRecordingFixture.Command("spin", "300000", "1"));
        var start = PerfRecordingFixture.Program(gate.Command);
        start.Environment["ESP_TEST_MARK"] = mark;
        using var process = Process.Start(start)!;
        using var session = PerfEventSession.Start(
            PerfEventPlan.Create(PerfEventScope.Launch),
            process.Id,
            Path.ChangeExtension(said, "data"),
            "test",
            []
        );
        gate.Open();
        Say(said, process.Id);
        Thread.Sleep(Wait.Limit);
        GC.KeepAlive(supervisor);
    }

    /// <summary>Not a test: started by <see cref="A_gate_ends_when_its_recorder_is_killed"/>.</summary>
    [Fact, HelperOfATest]
    public void A_recorder_that_will_be_killed_before_it_opens_the_gate()
    {
        var said = Environment.GetEnvironmentVariable(InnerRun)!;
        using var gate = new GatedLaunch(["/bin/sleep", "600"]);
        using var process = Process.Start(PerfRecordingFixture.Program(gate.Command))!;
        Say(said, process.Id);
        Thread.Sleep(Wait.Limit);
    }

    /// <summary>Also false for one that has ended and was not waited for.</summary>
    private static bool IsRunning(int process)
    {
        try
        {
            return !File.ReadAllText($"/proc/{process}/stat").Contains(") Z ", StringComparison.Ordinal);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>The file appears together with its content.</summary>
    private static void Say(string file, int number)
    {
        File.WriteAllText(file + ".tmp", number.ToString(CultureInfo.InvariantCulture));
        File.Move(file + ".tmp", file);
    }

    private async Task<(Process Recorder, int Program)> StartRecorderAsync(string method)
    {
        var said = Path.ChangeExtension(_recording.Path, "pid");
        var start = new ProcessStartInfo(
            Environment.ProcessPath!,
            [.. OrdinaryUser.Host(typeof(PerfEventSessionTests)), "-method", $"{typeof(PerfEventSessionTests).FullName}.{method}"]
        )
        {
            RedirectStandardOutput = true,
        };
        start.Environment[InnerRun] = said;
        start.Environment["TMPDIR"] = Path.GetDirectoryName(said); // files of the killed process are deleted with our folder
        var recorder = Process.Start(start)!;
        await Wait.UntilAsync(() => File.Exists(said) || recorder.HasExited, "the recorder names its program");
        if (!File.Exists(said))
            Assert.Fail(await recorder.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken));

        return (
            recorder,
            int.Parse(await File.ReadAllTextAsync(said, TestContext.Current.CancellationToken), CultureInfo.InvariantCulture)
        );
    }
}

/// <summary>Not a test: needs another one that starts it.</summary>
internal sealed class HelperOfATestAttribute : NeedAttribute
{
    /// <inheritdoc />
    public override string? Missing =>
        Environment.GetEnvironmentVariable(OrdinaryUser.InnerRun) is { Length: > 0 } ? null : "helpers of other tests, which start them";
}
