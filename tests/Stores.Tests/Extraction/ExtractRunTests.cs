using System.Collections.Concurrent;
using System.ComponentModel;
using System.Diagnostics;
using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Extraction.Workers;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Tests.Extraction;

/// <summary>Extracts by real worker processes.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ExtractRunTests : IDisposable
{
    private readonly TraceFolder _folder = new();

    [Fact]
    public async Task Workers_killed_at_random_leave_the_same_rows_as_one_that_is_not()
    {
        for (var number = 0; number < 5; number++)
            _folder.AddRecording($"r{number}", number);
        _folder.AddEtl("suite.etl");
        _folder.AddNetTrace("program.nettrace");
        _folder.AddNetTrace("bad.nettrace", length: 20);
        var one = Run(_folder.Request("one.db"));
        Assert.Equal((7, 0, 1), (one.New, one.Changed, one.Failed.Count));

        var started = 0;
        var kills = new ConcurrentQueue<Task>();
        ExtractRun.Run(
            _folder.Request("several.db", jobs: 2),
            WorkerProgram.Find(),
            worker =>
            {
                // The first one at once, so that there is a third.
                var number = Interlocked.Increment(ref started);
                if (number <= 5)
                    kills.Enqueue(KillAsync(worker, TimeSpan.FromMilliseconds(number == 1 ? 0 : new Random(4711 + number).Next(0, 700))));
            }
        );
        await Task.WhenAll(kills);
        Assert.InRange(started, 3, 100);

        // A trace whose workers were killed twice is marked as failed; it is retried on request.
        Run(_folder.Request("several.db") with { RetryFailed = true });
        Assert.Equal(_folder.Rows("one.db"), _folder.Rows("several.db"));
    }

    [Fact]
    public void A_second_call_finds_nothing_new()
    {
        _folder.AddRecording("r1", 1);
        _folder.AddNetTrace("bad.nettrace", length: 20);
        File.WriteAllText(_folder.Path("notes.txt"), "");
        Run(_folder.Request("a.db"));
        var rows = _folder.Rows("a.db");

        var second = Run(_folder.Request("a.db"));

        Assert.Equal((0, 0, 2, 1, 0), (second.New, second.Changed, second.Known, second.KnownFailed, second.Failed.Count));
        Assert.Equal(0, second.Rows);
        Assert.Equal(1, second.OtherFiles);
        Assert.Contains(
            "2 of 2 traces are in the store already; nothing new.",
            ExtractSummaryText.Lines(second).First(),
            StringComparison.Ordinal
        );
        Assert.Equal(rows, _folder.Rows("a.db"));
    }

    [Fact]
    public void A_changed_trace_takes_the_place_of_the_old_one()
    {
        var folder = _folder.AddRecording("r1", 1);
        _folder.AddRecording("r2", 2);
        Run(_folder.Request("a.db"));
        var before = _folder.Stored("a.db");
        File.WriteAllText(Path.Combine(folder, "perf-0.map"), "changed");

        var summary = Run(_folder.Request("a.db"));

        Assert.Equal((0, 1, 1), (summary.New, summary.Changed, summary.Known));
        var after = _folder.Stored("a.db");
        Assert.Equal(before.Select(trace => trace.Name), after.Select(trace => trace.Name));
        Assert.NotEqual(before[0].Trace, after[0].Trace);
        Assert.Equal(before[1], after[1]);
        Assert.DoesNotContain(_folder.Rows("a.db"), row => row.Contains(before[0].Trace, StringComparison.Ordinal));
    }

    [Fact]
    public void A_trace_that_cannot_be_read_is_noted_and_the_rest_goes_on()
    {
        _folder.AddRecording("good", 1);
        _folder.AddNetTrace("a.nettrace", length: 0);
        _folder.AddNetTrace("b.nettrace", length: 100);
        File.WriteAllText(_folder.Path("c.etl"), "this is no trace");
        File.WriteAllText(_folder.Path("d.zip"), "this is no archive");
        Directory.CreateDirectory(_folder.Path("e"));
        File.WriteAllText(_folder.Path("e/recording.json"), "{ no json");

        var summary = Run(_folder.Request("a.db"));

        Assert.Equal((1, 5), (summary.New, summary.Failed.Count));
        Assert.All(summary.Failed, failed => Assert.NotEmpty(failed.Error));
        var stored = _folder.Stored("a.db");
        Assert.Equal(["failed", "failed", "failed", "failed", "failed", "extracted"], stored.Select(trace => trace.Status));
        Assert.All(stored.Take(5), trace => Assert.DoesNotContain('\n', trace.Error));

        // Repaired, it is read.
        File.Delete(_folder.Path("a.nettrace"));
        _folder.AddNetTrace("a.nettrace");
        var again = Run(_folder.Request("a.db"));
        Assert.Equal((1, 5, 4), (again.Changed, again.Known, again.KnownFailed));
    }

    [Fact]
    public void The_same_content_is_one_trace_under_the_name_that_sorts_first()
    {
        var first = _folder.AddNetTrace("b.nettrace");
        _folder.AddNetTrace("c.nettrace");
        var summary = Run(_folder.Request("a.db", jobs: 2));
        Assert.Equal((1, 1), (summary.New, summary.Duplicates.Count));
        Assert.Equal([first], _folder.Stored("a.db").Select(trace => trace.Name));

        var earlier = _folder.AddNetTrace("a.nettrace");
        Run(_folder.Request("a.db"));
        Assert.Equal([earlier], _folder.Stored("a.db").Select(trace => trace.Name));

        Run(new ExtractRequest([first], _folder.Store("a.db")));
        Assert.Equal([earlier], _folder.Stored("a.db").Select(trace => trace.Name));

        // The name loses its content; the content is still there under another name.
        _folder.AddEtl("suite.etl");
        File.Move(_folder.Path("suite.etl"), earlier, overwrite: true);
        Run(_folder.Request("a.db"));
        Assert.Equal([earlier, first], _folder.Stored("a.db").Select(trace => trace.Name));
    }

    [Fact]
    public void A_fuller_extract_replaces_a_smaller_one_and_not_the_other_way_round()
    {
        _folder.AddRecording("r1", 1);
        Run(_folder.Request("a.db") with { Options = new ExtractOptions { Tables = "run,gc" } });
        Assert.Equal("run,gc", Assert.Single(_folder.Stored("a.db")).Tables);

        Assert.Equal(1, Run(_folder.Request("a.db") with { Options = new ExtractOptions { Tables = "gc" } }).Known);
        Assert.Equal(1, Run(_folder.Request("a.db")).Changed);
        Assert.Equal("", Assert.Single(_folder.Stored("a.db")).Tables);
        Assert.Equal(1, Run(_folder.Request("a.db") with { Options = new ExtractOptions { Tables = "run" } }).Known);
    }

    [Fact]
    public void Branch_and_commit_can_be_said_later()
    {
        _folder.AddRecording("r1", 1);
        Run(_folder.Request("a.db"));
        var options = new ExtractOptions { Branch = "main", Commit = "abc" };

        Assert.Equal(1, Run(_folder.Request("a.db") with { Options = options }).Changed);
        Assert.Equal(1, Run(_folder.Request("a.db") with { Options = options }).Known);
        var trace = Assert.Single(_folder.Stored("a.db"));
        Assert.Equal(("main", "abc"), (trace.Branch, trace.Commit));
        Assert.Equal(1, Run(_folder.Request("a.db")).Known);
    }

    [Fact]
    public void A_trace_at_which_workers_die_twice_is_noted_as_failed()
    {
        if (OperatingSystem.IsWindows())
            Assert.Skip("the worker is a shell script");
        _folder.AddNetTrace("a.nettrace");
        var worker = new WorkerProgram(
            "/bin/sh",
            ["-c", "read setup; echo '{\"Kind\":\"Ready\"}'; read task; echo 'something is wrong' >&2; kill -9 $$"]
        );

        var summary = ExtractRun.Run(_folder.Request("a.db"), worker, null, CancellationToken.None);

        var (path, error) = Assert.Single(summary.Failed);
        Assert.Equal(_folder.Path("a.nettrace"), path);
        Assert.Equal(
            "its worker process ended twice (signal 9: killed, possibly because memory ran out; it said: something is wrong)",
            error
        );
        Assert.Equal((StoredTrace.Failed, error), (Assert.Single(_folder.Stored("a.db")).Status, _folder.Stored("a.db")[0].Error));

        // The workers work again.
        Assert.Equal(1, Run(_folder.Request("a.db") with { RetryFailed = true }).Changed + Run(_folder.Request("a.db")).New);
        Assert.Equal(StoredTrace.Extracted, Assert.Single(_folder.Stored("a.db")).Status);
    }

    [Theory]
    [InlineData("exit 3", "worker processes end immediately (exit code 3)")]
    [InlineData("echo no json; exec sleep 60", "worker processes end immediately (signal 9: killed, possibly because memory ran out)")]
    public void Workers_that_never_begin_are_an_error(string script, string text)
    {
        if (OperatingSystem.IsWindows())
            Assert.Skip("the worker is a shell script");
        _folder.AddNetTrace("a.nettrace");

        var error = Assert.Throws<StoreException>(() =>
            ExtractRun.Run(_folder.Request("a.db"), new WorkerProgram("/bin/sh", ["-c", script]), null, CancellationToken.None)
        );

        Assert.Equal(text, error.Problem.What);
    }

    [Fact]
    public void A_program_that_is_not_there_is_an_error()
    {
        _folder.AddNetTrace("a.nettrace");

        Assert.Throws<StoreException>(() =>
            ExtractRun.Run(_folder.Request("a.db"), new WorkerProgram("/no/such/program", []), null, CancellationToken.None)
        );
    }

    [Fact]
    public void An_interrupt_leaves_whole_traces_and_the_rest_to_the_next_call()
    {
        for (var number = 0; number < 4; number++)
            _folder.AddRecording($"r{number}", number);
        using var interrupt = new CancellationTokenSource();
        var summary = ExtractRun.Run(
            _folder.Request("a.db"),
            WorkerProgram.Find(),
            progress =>
            {
                if (progress.TracesDone > 0)
                    interrupt.Cancel();
            },
            interrupt.Token
        );

        Assert.True(summary.IsInterrupted);
        Assert.InRange(summary.New, 1, 3);
        Assert.Equal(4, summary.New + summary.NotDone);
        Assert.Equal(summary.New, _folder.Stored("a.db").Count);
        var rest = Run(_folder.Request("a.db"));
        Assert.Equal((summary.NotDone, summary.New), (rest.New, rest.Known));
    }

    [Fact]
    public async Task A_killed_coordinator_leaves_no_workers_and_the_next_call_goes_on()
    {
        if (!OperatingSystem.IsLinux())
            Assert.Skip("children are found in /proc");
        for (var number = 0; number < 6; number++)
            _folder.AddRecording($"r{number}", number);
        Run(_folder.Request("one.db"));

        var program = WorkerProgram.Find();
        using var process = Process.Start(
            new ProcessStartInfo(
                program.File,
                [
                    .. program.Arguments.TakeWhile(argument => argument != WorkerProgram.Command),
                    "extract",
                    _folder.Traces,
                    "--store",
                    _folder.Store("a.db").ToString(),
                    "--jobs",
                    "2",
                    "--quiet",
                ]
            )
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            }
        )!;
        await Wait.UntilAsync(
            () => process.HasExited || (File.Exists(_folder.Store("a.db").Place) && Count() > 0),
            "the first trace in the store"
        );
        var workers = Children(process.Id);
        process.Kill(entireProcessTree: false);
        await Wait.ForExitAsync(process);
        foreach (var worker in workers)
            await Wait.UntilAsync(() => !IsWorker(worker), $"the end of worker {worker}");

        Assert.InRange(Count(), 1, 6);
        Run(_folder.Request("a.db"));
        Assert.Equal(_folder.Rows("one.db"), _folder.Rows("a.db"));

        int Count()
        {
            try
            {
                return _folder.Stored("a.db").Count;
            }
            catch (StoreException)
            {
                return 0; // its tables do not exist yet
            }
        }
    }

    public void Dispose() => _folder.Dispose();

    private static ExtractSummary Run(ExtractRequest request) =>
        ExtractRun.Run(request, WorkerProgram.Find(), null, CancellationToken.None);

    /// <summary>Kills a worker after the given CPU time, which is at the same point of its work on any machine.</summary>
    private static async Task KillAsync(int process, TimeSpan cpuTime)
    {
        await Wait.UntilAsync(() => CpuTime(process) is not { } used || used >= cpuTime, "the worker's CPU time").ConfigureAwait(false);
        try
        {
            using var worker = Process.GetProcessById(process);
            worker.Kill();
        }
        catch (Exception exception) when (exception is ArgumentException or InvalidOperationException)
        {
            // It has ended.
        }
    }

    /// <summary>CPU time of a process; null when it has ended.</summary>
    private static TimeSpan? CpuTime(int process)
    {
        try
        {
            using var worker = Process.GetProcessById(process);
            return worker.HasExited ? null : worker.TotalProcessorTime;
        }
        catch (Exception exception) when (exception is ArgumentException or InvalidOperationException or Win32Exception)
        {
            return null;
        }
    }

    private static IReadOnlyList<int> Children(int process)
    {
        try
        {
            return
            [
                .. Directory
                    .GetDirectories($"/proc/{process}/task")
                    .SelectMany(task => File.ReadAllText(Path.Combine(task, "children")).Split(' ', StringSplitOptions.RemoveEmptyEntries))
                    .Select(int.Parse),
            ];
        }
        catch (IOException)
        {
            return [];
        }
    }

    /// <summary>Whether a worker, which is not a child of the tests, still runs.</summary>
    private static bool IsWorker(int process)
    {
        try
        {
            return File.ReadAllText($"/proc/{process}/cmdline").Contains(WorkerProgram.Command, StringComparison.Ordinal);
        }
        catch (IOException)
        {
            return false;
        }
    }
}
