using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>The perf session, by really recording; with the rights of whoever runs the tests, and as an ordinary user when that is root.</summary>
[Collection(PerfEventsAlone.Name)]
public sealed class PerfEventSessionTests : IDisposable
{
    /// <summary>Set in recorders that are to be killed: the path of a file they say something in; and empty in the run that an ordinary user makes.</summary>
    private const string InnerRun = OrdinaryUser.InnerRun;

    private readonly PerfRecordingFixture _recording;

    public PerfEventSessionTests()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        _recording = new PerfRecordingFixture();
    }

    public void Dispose() => _recording.Dispose();

    [Fact]
    public void Samples_of_a_spinning_thread_are_its_CPU_time_in_ms()
    {
        _recording.Record(PerfEventPlan.Create(PerfEventScope.Launch), "spin", "600", "2");

        var spinners = _recording.ThreadNames().Where(pair => pair.Value == "spinner").ToDictionary(pair => pair.Key, _ => 0L);
        Assert.Equal(2, spinners.Count);
        var chains = 0L;
        using var reader = PerfDataReader.Open(_recording.Path);
        while (reader.TryRead(out var record))
        {
            if (!record.TryReadSample(out var sample) || sample.Event.Settings.Kind != PerfEventKind.Software || !spinners.TryGetValue(sample.ThreadId, out var samples))
                continue;
            spinners[sample.ThreadId] = samples + 1;
            chains += sample.CallChain.Length > 1 ? 1 : 0;
            Assert.Equal(1_000_000UL, sample.Period);
        }

        // The thread's clock counts time in the hypervisor and in interrupts that the sampling timer may miss: 5 % below, 2 % above.
        Assert.All(spinners.Values, count => Assert.InRange(count, 570, 625));
        Assert.True(chains > 0.95 * spinners.Values.Sum(), $"{chains} call chains of {spinners.Values.Sum()} samples");
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

        // By the program's own clock; what else the thread waited for (a lock while it starts) lies outside of its sleeps.
        var sleeps = _recording.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(' ').Select(number => long.Parse(number, CultureInfo.InvariantCulture)).ToArray()).ToList();
        Assert.Equal(100, sleeps.Count);
        Assert.All(sleeps, sleep => Assert.InRange(waits.Where(wait => wait.Left >= sleep[0] && wait.Back <= sleep[1]).Sum(wait => wait.Back - wait.Left), 5_000_000, sleep[1] - sleep[0]));
        Assert.Equal(0, reader.LateRecords);
        Assert.True(reader.Features.LastTime - reader.Features.FirstTime >= 500_000_000);
        var age = Stopwatch.GetTimestamp() - reader.Features.LastTime;
        Assert.InRange(age, 0, 60_000_000_000); // one clock with the recorder
    }

    [Fact]
    public void Every_one_of_64_short_threads_is_named()
    {
        _recording.Record(PerfEventPlan.Create(PerfEventScope.Launch), "threads", "64");

        var names = _recording.ThreadNames();
        Assert.Equal(Enumerable.Range(0, 64).Select(number => $"short-{number:D3}"), names.Values.Where(name => name.StartsWith("short-", StringComparison.Ordinal)).Order());
        using var reader = PerfDataReader.Open(_recording.Path);
        var created = new HashSet<int>();
        while (reader.TryRead(out var record))
        {
            if (record.Type == PerfRecordType.Fork && record.TryReadTask(out var task))
                created.Add(task.ThreadId);
        }

        Assert.All(names.Where(pair => pair.Value.StartsWith("short-", StringComparison.Ordinal)), pair => Assert.Contains(pair.Key, created));
    }

    [Fact]
    public void Lost_records_of_a_tiny_ring_are_reported_in_session_and_file()
    {
        _recording.Record(PerfEventPlan.Create(PerfEventScope.Launch, 50_000) with { RingBytes = Environment.SystemPageSize }, "spin", "300", "4");

        Assert.Equal(Environment.SystemPageSize, _recording.RingBytes);
        Assert.True(_recording.Statistics.LostRecords > 0, "4 KiB cannot hold 50,000 samples a second for 200 ms");
        var lost = 0L;
        using var reader = PerfDataReader.Open(_recording.Path);
        while (reader.TryRead(out var record))
            lost += record.LostCount;
        Assert.Null(reader.Damage);
        Assert.Equal(_recording.Statistics.LostRecords, lost);
    }

    [Fact]
    public void Stopping_leaves_no_event_ring_or_thread_behind()
    {
        for (var round = 0; round < 5; round++)
        {
            using var recording = new PerfRecordingFixture();
            recording.Record(PerfEventPlan.Create(PerfEventScope.Launch), "plain");
        }

        Assert.DoesNotContain(Directory.GetFiles("/proc/self/fd").Select(Target), target => target.Contains("perf_event", StringComparison.Ordinal));
        Assert.DoesNotContain(File.ReadLines("/proc/self/maps"), line => line.Contains("perf_event", StringComparison.Ordinal));
        Assert.DoesNotContain(Directory.GetDirectories("/proc/self/task").Select(task => File.ReadAllText(task + "/comm").Trim()), name => name == "perf rings");

        static string Target(string link)
        {
            try
            {
                return new FileInfo(link).LinkTarget ?? "";
            }
            catch (IOException)
            {
                return "";
            }
        }
    }

    [Fact]
    public void Attaching_covers_the_threads_that_run_and_their_names_and_mappings()
    {
        using var process = Process.Start(PerfRecordingFixture.Program(PerfRecordingFixture.Command("spin", "4000", "2")))!;
        Assert.Equal("spinning", process.StandardOutput.ReadLine());
        Thread.Sleep(300);
        using (var session = PerfEventSession.Start(PerfEventPlan.Create(PerfEventScope.Attach), process.Id, _recording.Path, "test", []))
        {
            Thread.Sleep(1000);
            session.Stop();
            Assert.Equal("", session.Error);
        }

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

        Assert.All(spinners.Values, samples => Assert.True(samples > 50, $"{samples} samples"));
        Assert.Contains(libraries, path => path.EndsWith("/libcoreclr.so", StringComparison.Ordinal));
    }

    [Fact]
    public void Root_sees_the_state_of_each_switch_and_each_waking_of_a_thread()
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
        int sleeps = 0, wakes = 0;
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
                wakes += thread == waiter && asleep ? 1 : 0;
                asleep &= thread != waiter;
            }
        }

        // More than 100: the threads also meet at the lock of the event. Each sleep ends with a waking; one that comes before its switch-out is not paired.
        Assert.InRange(sleeps, 100, 1000);
        Assert.InRange(wakes, 0.9 * sleeps, sleeps);
    }

    [Fact]
    public void A_process_that_has_ended_is_an_error()
    {
        using var process = Process.Start("/bin/true");
        process.WaitForExit();

        var error = Assert.Throws<PerfEventException>(() => PerfEventSession.Start(PerfEventPlan.Create(PerfEventScope.Attach), process.Id, _recording.Path, "test", []));

        Assert.Contains("has ended", error.Message, StringComparison.Ordinal);
        Assert.False(File.Exists(_recording.Path));
    }

    [Fact]
    public void The_process_of_another_user_is_refused_with_a_remedy()
    {
        Assert.SkipWhen(PerfEventPermissions.Read().Privileged, "root may record every process");

        var error = Assert.Throws<PerfEventException>(() => PerfEventSession.Start(PerfEventPlan.Create(PerfEventScope.Attach), 1, _recording.Path, "test", []));

        Assert.Contains("run as its user or as root", error.Remedy, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_killed_recorder_leaves_a_readable_file_and_the_program_ends()
    {
        var (recorder, program) = await StartRecorderAsync(nameof(A_recorder_that_will_be_killed_while_it_records));
        await Task.Delay(3000, TestContext.Current.CancellationToken);

        recorder.Kill();
        await recorder.WaitForExitAsync(TestContext.Current.CancellationToken);

        for (var wait = 0; IsRunning(program) && wait < 600; wait++)
            await Task.Delay(50, TestContext.Current.CancellationToken);
        Assert.False(IsRunning(program), "the program goes on, unseen");
        var file = _recording.Path;
        Assert.Contains("spinner", _recording.ThreadNames(file).Values);
        using var reader = PerfDataReader.Open(file);
        var samples = 0;
        while (reader.TryRead(out var record))
            samples += record.Type == PerfRecordType.Sample ? 1 : 0;
        Assert.Null(reader.Damage);
        Assert.True(samples > 50, $"{samples} samples of 3 s: the last second may be missing, and a loaded machine gives the program a part of the others");
        Assert.NotEqual("", reader.Features.HostName);
        recorder.Dispose();
    }

    [Fact]
    public async Task A_gate_ends_when_its_recorder_is_killed()
    {
        var (recorder, gate) = await StartRecorderAsync(nameof(A_recorder_that_will_be_killed_before_it_opens_the_gate));

        recorder.Kill();

        await recorder.WaitForExitAsync(TestContext.Current.CancellationToken);
        for (var wait = 0; IsRunning(gate) && wait < 600; wait++)
            await Task.Delay(50, TestContext.Current.CancellationToken);
        Assert.False(IsRunning(gate), "the gate still waits");
        recorder.Dispose();
    }

    [Fact]
    public Task All_of_this_works_as_an_ordinary_user() => OrdinaryUser.RunAsync(typeof(PerfEventSessionTests), atLeast: 11);

    /// <summary>Not a test: a recorder in a process of its own, started by <see cref="A_killed_recorder_leaves_a_readable_file_and_the_program_ends"/>.</summary>
    [Fact(Explicit = true)]
    public void A_recorder_that_will_be_killed_while_it_records()
    {
        var said = InnerFile();
        var mark = $"esp-test-{Guid.NewGuid():N}";
        var supervisor = Supervisor.Start(mark, []);
        Assert.NotNull(supervisor.ProcessId);
        using var gate = new GatedLaunch(PerfRecordingFixture.Command("spin", "300000", "1"));
        var start = PerfRecordingFixture.Program(gate.Command);
        start.Environment["ESP_TEST_MARK"] = mark;
        using var process = Process.Start(start)!;
        using var session = PerfEventSession.Start(PerfEventPlan.Create(PerfEventScope.Launch), process.Id, Path.ChangeExtension(said, "data"), "test", []);
        gate.Open();
        Say(said, process.Id);
        Thread.Sleep(TimeSpan.FromSeconds(60));
        GC.KeepAlive(supervisor);
    }

    /// <summary>Not a test: started by <see cref="A_gate_ends_when_its_recorder_is_killed"/>.</summary>
    [Fact(Explicit = true)]
    public void A_recorder_that_will_be_killed_before_it_opens_the_gate()
    {
        var said = InnerFile();
        using var gate = new GatedLaunch(["/bin/sleep", "60"]);
        using var process = Process.Start(PerfRecordingFixture.Program(gate.Command))!;
        Thread.Sleep(300);
        Say(said, process.Id);
        Thread.Sleep(TimeSpan.FromSeconds(60));
    }

    /// <summary>False for one that has ended and was not waited for, too.</summary>
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

    private static string InnerFile()
    {
        var said = Environment.GetEnvironmentVariable(InnerRun);
        Assert.SkipUnless(said?.Length > 0, "a helper of another test");
        return said!;
    }

    /// <summary>The file appears with its content.</summary>
    private static void Say(string file, int number)
    {
        File.WriteAllText(file + ".tmp", number.ToString(CultureInfo.InvariantCulture));
        File.Move(file + ".tmp", file);
    }

    private async Task<(Process Recorder, int Program)> StartRecorderAsync(string method)
    {
        var said = Path.ChangeExtension(_recording.Path, "pid");
        var start = new ProcessStartInfo(Environment.ProcessPath!, [.. OrdinaryUser.Host(typeof(PerfEventSessionTests)), "-explicit", "only", "-method", $"{typeof(PerfEventSessionTests).FullName}.{method}"])
        {
            RedirectStandardOutput = true,
        };
        start.Environment[InnerRun] = said;
        start.Environment["TMPDIR"] = Path.GetDirectoryName(said); // what the killed process leaves goes with our folder
        var recorder = Process.Start(start)!;
        for (var wait = 0; !File.Exists(said) && !recorder.HasExited && wait < 600; wait++)
            await Task.Delay(50, TestContext.Current.CancellationToken);
        if (!File.Exists(said))
        {
            recorder.Kill();
            Assert.Fail(await recorder.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken));
        }

        return (recorder, int.Parse(await File.ReadAllTextAsync(said, TestContext.Current.CancellationToken), CultureInfo.InvariantCulture));
    }
}
