using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>CPU time sampled by ptrace, by really recording: the shares are correct, and the program's behaviour does not change.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class PtraceTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-ptrace-").FullName;

    private string Folder => Path.Combine(_root, "r");

    public PtraceTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "ptrace samples on Linux");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Shares_of_methods_are_those_of_the_threads_clock()
    {
        var recorded = await RecordAsync(Tool.TestProgram, "shares", "1500");
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var words = recorded.Output.Split([' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
        var (more, less) = (
            double.Parse(words[1], CultureInfo.InvariantCulture) / 1e6,
            double.Parse(words[3], CultureInfo.InvariantCulture) / 1e6
        );

        var rows = JsonDocument
            .Parse((await Tool.AnalyzeAsync("cpu", Folder, "--by", "method", "--inclusive", "--format", "json")).Output)
            .RootElement.GetProperty("rows")
            .EnumerateArray()
            .ToList();
        var (inMore, inLess) = (Row("Shares.SpinMore"), Row("Shares.SpinLess"));
        var samples = inMore.GetProperty("inclusiveSamples").GetDouble() + inLess.GetProperty("inclusiveSamples").GetDouble();
        var (sampledMore, sampledLess) = (
            inMore.GetProperty("inclusiveCpuMs").GetDouble(),
            inLess.GetProperty("inclusiveCpuMs").GetDouble()
        );
        var share = more / (more + less);
        var allowed = (6 * Math.Sqrt(share * (1 - share) / samples)) + 0.01;
        Assert.InRange(sampledMore / (sampledMore + sampledLess), share - allowed, share + allowed);

        // All weights together are the threads' CPU time. At the start and the end of the loops a sample may stand for what came before
        // it. On a loaded machine the sampler may come so late that some CPU time has no stack, which the recording says.
        var (longest, unsampled, _) = ReadWeights();
        var edges = 2 * longest / 1e6;
        Assert.InRange(sampledMore + sampledLess, (more + less) * 0.98 - edges - unsampled / 1e6, (more + less) * 1.02 + edges);
        var run = JsonDocument.Parse((await Tool.AnalyzeAsync("runs", Folder, "--format", "json")).Output).RootElement.GetProperty("runs")[
            0
        ];
        var ownClock = run.GetProperty("threadCpuMs").GetDouble();
        Assert.InRange(run.GetProperty("onCpuMs").GetDouble(), ownClock * 0.98, ownClock * 1.02);
        Assert.InRange(run.GetProperty("cpuMs").GetDouble(), run.GetProperty("onCpuMs").GetDouble(), double.MaxValue);

        JsonElement Row(string method) => Assert.Single(rows, row => row.GetProperty("method").GetString() == method);
    }

    [Theory]
    [InlineData("1500")]
    [InlineData("300", "100", "1500")] // bursts of 100 µs, far less than the polling interval
    public async Task Parts_of_a_program_in_its_own_code_in_libraries_in_the_kernel_and_in_GCs_have_their_shares(params string[] arguments)
    {
        var recorded = await RecordAsync([Tool.TestProgram, "mixture", .. arguments]);
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var truth = recorded
            .Output.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => line.Split(' '))
            .Where(words => words.Length == 2 && long.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out _))
            .ToDictionary(words => "Mixture." + words[0], words => double.Parse(words[1], CultureInfo.InvariantCulture));
        Assert.Equal(5, truth.Count);
        var rows = JsonDocument
            .Parse((await Tool.AnalyzeAsync("cpu", Folder, "--by", "method", "--inclusive", "--top", "100000", "--format", "json")).Output)
            .RootElement.GetProperty("rows")
            .EnumerateArray()
            .Where(row => truth.ContainsKey(row.GetProperty("method").GetString()!))
            .ToDictionary(row => row.GetProperty("method").GetString()!);
        var (allTaken, allSampled, samples) = (
            truth.Values.Sum(),
            rows.Values.Sum(row => row.GetProperty("inclusiveCpuMs").GetDouble()),
            rows.Values.Sum(row => row.GetProperty("inclusiveSamples").GetInt64())
        );
        foreach (var (part, taken) in truth)
        {
            var share = taken / allTaken;
            Assert.InRange(
                rows[part].GetProperty("inclusiveCpuMs").GetDouble() / allSampled,
                share - Allowed(share),
                share + Allowed(share)
            );
        }

        double Allowed(double share) => (5 * Math.Sqrt(share * (1 - share) / samples)) + 0.01;
    }

    [Fact]
    public async Task Where_perf_events_are_refused_causes_are_in_the_table_and_one_line_says_how()
    {
        var recorded = await Tool.RecordRefusedAsync(
            "--no-report",
            "--out",
            Folder,
            "-serializer",
            "#SystemTextJson",
            "-n",
            "100000",
            "-runs",
            "3"
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.Contains("note: CPU time is sampled by ptrace, because event cpu-clock", recorded.Error, StringComparison.Ordinal);
        Assert.Contains(
            "CPU time: read from each thread's clock, sampled by ptrace, 1000 samples a second; no context switches",
            recorded.Output,
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("partial", recorded.Output, StringComparison.Ordinal);

        var rows = JsonDocument
            .Parse((await Tool.AnalyzeAsync("table", Folder, "--format", "json")).Output)
            .RootElement.GetProperty("rows")
            .EnumerateArray()
            .ToList();
        Assert.NotEmpty(rows);
        Assert.All(rows, row => Assert.True(row.GetProperty("cpuMs").GetDouble() > 0));
        var causes = JsonDocument
            .Parse((await Tool.AnalyzeAsync("causes", Folder, "--format", "json")).Output)
            .RootElement.GetProperty("rows")
            .EnumerateArray()
            .ToList();
        Assert.Equal(rows.Count, causes.Count);
        Assert.All(causes, row => Assert.True(row.GetProperty("samplesBelowEntry").GetInt64() > 0));
    }

    /// <summary>The rate is that of all threads together, or a program with many busy threads would pay for each of them.</summary>
    [Fact]
    public async Task Eight_busy_threads_get_as_many_samples_as_one()
    {
        var recorded = await RecordAsync(Tool.TestProgram, "clock", "1500", "8");
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var samples = new List<(int Thread, long Time)>();
        using var reader = PerfDataReader.Open(Path.Combine(Folder, "perf.data"));
        while (reader.TryRead(out var record))
        {
            if (record.TryReadSample(out var sample))
                samples.Add((sample.ThreadId, sample.Time));
        }

        Assert.Null(reader.Damage);
        var milliseconds = (samples.Max(sample => sample.Time) - samples.Min(sample => sample.Time)) / 1e6;
        Assert.InRange(samples.Count, 1, milliseconds * 1.25);
        var shared = samples.GroupBy(sample => sample.Thread).Count(thread => thread.Count() > samples.Count / 50);
        Assert.True(shared >= 8, $"{shared} threads with more than 2 % of {samples.Count} samples"); // the main thread's start may, too
    }

    [Theory]
    [InlineData(7, "exit", "7")]
    [InlineData(3, "spawn", "exit", "3")] // a child process, by vfork
    [InlineData(0, "collect", "8", "10")] // eight threads with GCs, and threads that end at once
    [InlineData(0, "threads", "200")]
    [InlineData(0, "nulls", "500")] // SIGSEGV
    public async Task A_program_of_dotnet_ends_as_without_it(int exitCode, params string[] arguments)
    {
        await RecordAsync([Tool.TestProgram, .. arguments]);
        AssertRecorded(
            exitCode,
            JsonDocument
                .Parse(await File.ReadAllTextAsync(Path.Combine(Folder, "recording.json"), TestContext.Current.CancellationToken))
                .RootElement
        );
    }

    /// <summary>
    /// Each start of a thread stops the starting one, and any stop clears a pending interruption: a sampler that kept waiting for it would
    /// lose the thread for a second.
    /// </summary>
    [Fact]
    public async Task A_thread_that_starts_threads_is_sampled_all_the_time()
    {
        var recorded = await RecordAsync(Tool.TestProgram, "threads", "2000");
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var (longest, _, all) = ReadWeights();
        Assert.InRange(longest, 1UL, all / 8);
    }

    /// <summary>
    /// Interrupting a sleeping thread would end such a call. Interrupting a thread just as it falls asleep is unavoidable, and rare.
    /// </summary>
    [Fact]
    public async Task System_calls_that_wait_are_not_interrupted()
    {
        const int Calls = 20;
        var recorded = await RecordAsync(Tool.TestProgram, "interruptions", "50", $"{Calls}", "300");
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var interrupted = recorded
            .Output.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => line.Split(' '))
            .Where(words => words is ["epoll_wait" or "semtimedop" or "sigtimedwait" or "nanosleep" or "poll", _])
            .ToDictionary(words => words[0], words => int.Parse(words[1], CultureInfo.InvariantCulture));
        Assert.Equal(5, interrupted.Count);
        Assert.Equal((0, 0), (interrupted["nanosleep"], interrupted["poll"]));
        Assert.All(interrupted.Values, count => Assert.InRange(count, 0, Calls / 4));
    }

    [Fact]
    public async Task Exec_by_another_thread_than_the_first_one_goes_through()
    {
        await RecordAsync(Tool.TestProgram, "become", Tool.TestProgram, "exit", "9");
        AssertRecorded(
            9,
            JsonDocument
                .Parse(await File.ReadAllTextAsync(Path.Combine(Folder, "recording.json"), TestContext.Current.CancellationToken))
                .RootElement
        );
    }

    [Theory]
    [InlineData("\"$@\" --sampler ptrace")]
    [InlineData("TESTPROGRAM refused \"$@\"")] // perf events are refused
    public async Task A_crash_still_writes_its_dump(string recorder)
    {
        var dump = Path.Combine(_root, "core");
        var recorded = await Tool.ShellAsync(
            $"exec {recorder.Replace("TESTPROGRAM", Tool.TestProgram, StringComparison.Ordinal)} --no-analyze --out {Folder} -- {Tool.TestProgram} crash",
            [("DOTNET_DbgEnableMiniDump", "1"), ("DOTNET_DbgMiniDumpName", dump), ("DOTNET_DbgMiniDumpType", "1")]
        );
        Assert.Contains("exit code 134", recorded.Error, StringComparison.Ordinal);
        var magic = new byte[4];
        await using var file = File.OpenRead(dump);
        await file.ReadExactlyAsync(magic, TestContext.Current.CancellationToken);
        Assert.Equal("\u007fELF"u8, magic);
    }

    [Fact]
    public async Task A_dump_of_a_program_that_goes_on_is_written_too()
    {
        var recorded = await Tool.RecordAsync(
            "--sampler",
            "ptrace",
            "--dump-on",
            "System.FormatException",
            "--no-analyze",
            "--out",
            Folder,
            "--",
            Tool.TestProgram,
            "throwing",
            "5"
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var recording = JsonDocument
            .Parse(await File.ReadAllTextAsync(Path.Combine(Folder, "recording.json"), TestContext.Current.CancellationToken))
            .RootElement;
        AssertRecorded(0, recording);
        Assert.True(recording.GetProperty("dumps")[0].GetProperty("bytes").GetInt64() > 0);
    }

    [Theory]
    [InlineData(130, "kill -INT $$")]
    [InlineData(5, "trap 'exit 5' INT; kill -INT $$; exit 6")]
    [InlineData(137, "kill -KILL $$")]
    [InlineData(4, "(until grep -q '^State:.[tT]' /proc/$$/status; do :; done; kill -CONT $$) & kill -STOP $$; wait; exit 4")]
    public async Task Signals_do_what_they_do_without_it(int exitCode, string script)
    {
        if (script.Contains("INT", StringComparison.Ordinal))
            Signals.SkipUnlessHeard("INT");
        var recorded = await Tool.RecordAsync(
            "--sampler",
            "ptrace",
            "--sessions",
            "perf",
            "--no-analyze",
            "--out",
            Folder,
            "--",
            "/bin/sh",
            "-c",
            script
        );
        Assert.Contains($"the recorded program ended with exit code {exitCode}", recorded.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task When_the_sampler_is_killed_the_program_goes_on_and_the_recording_says_so()
    {
        var (end, csv) = (Path.Combine(_root, "end"), Path.Combine(_root, "runs.csv"));
        using var recorder = Tool.Start(
            "RecorderDirectory",
            "esp-record.dll",
            ["--sampler", "ptrace", "--no-analyze", "--out", Folder, "--", Tool.TestProgram, "until", end, csv]
        );
        Assert.Equal("running", await recorder.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));
        using (var sampler = Process.GetProcessById(SamplerOf(recorder.Id)))
            sampler.Kill();

        var lines = Tool.LinesOf(csv);
        await Wait.UntilAsync(() => Tool.LinesOf(csv) > lines + 5, "runs after the sampler", () => recorder.HasExited);
        await File.WriteAllTextAsync(end, "", TestContext.Current.CancellationToken);
        var recorded = await Tool.FinishAsync(recorder);
        Assert.Equal(0, recorded.ExitCode);
        Assert.Contains("the kernel session ended early: the sampler was killed", recorded.Error, StringComparison.Ordinal);
        Assert.True(
            JsonDocument
                .Parse(await File.ReadAllTextAsync(Path.Combine(Folder, "recording.json"), TestContext.Current.CancellationToken))
                .RootElement.GetProperty("kernel")
                .GetProperty("samples")
                .GetInt64() > 0
        );
    }

    [Fact]
    public async Task A_running_program_cannot_be_sampled_by_ptrace()
    {
        var refused = await Tool.RecordAsync("attach", $"{Environment.ProcessId}", "--sampler", "ptrace", "--dry-run");
        Assert.Equal(4, refused.ExitCode);
        Assert.Contains("ptrace can sample only a program that esp-record launches", refused.Error, StringComparison.Ordinal);
    }

    /// <summary>CPU time that samples stand for, in ns: the largest, those of the main thread without a stack, and all together.</summary>
    private (ulong Longest, ulong Unsampled, ulong All) ReadWeights()
    {
        var (longest, unsampled, all) = (0UL, 0UL, 0UL);
        using var reader = PerfDataReader.Open(Path.Combine(Folder, "perf.data"));
        while (reader.TryRead(out var record))
        {
            if (!record.TryReadSample(out var sample))
                continue;
            (longest, all) = (Math.Max(longest, sample.Period), all + sample.Period);
            if (sample.Ip == 0 && sample.ThreadId == sample.ProcessId)
                unsampled += sample.Period;
        }

        Assert.Null(reader.Damage);
        return (longest, unsampled, all);
    }

    private Task<ToolResult> RecordAsync(params string[] command) =>
        Tool.RecordAsync(["--sampler", "ptrace", "--no-analyze", "--out", Folder, "--", .. command]);

    private static void AssertRecorded(int exitCode, JsonElement recording)
    {
        Assert.Equal(exitCode, recording.GetProperty("processes")[0].GetProperty("exitCode").GetInt32());
        var kernel = recording.GetProperty("kernel");
        Assert.Equal("ptrace", kernel.GetProperty("sampler").GetString());
        Assert.Equal("", kernel.GetProperty("error").GetString());
        Assert.True(kernel.GetProperty("samples").GetInt64() > 0);
        Assert.True(recording.GetProperty("complete").GetBoolean());
    }

    /// <summary>The sampler is the child of the recorder that has its verb on its command line.</summary>
    private static int SamplerOf(int recorder) =>
        Directory
            .EnumerateDirectories($"/proc/{recorder}/task")
            .SelectMany(task => File.ReadAllText(Path.Combine(task, "children")).Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Select(int.Parse)
            .Single(child => File.ReadAllText($"/proc/{child}/cmdline").Contains("ptrace-sampler", StringComparison.Ordinal));
}
