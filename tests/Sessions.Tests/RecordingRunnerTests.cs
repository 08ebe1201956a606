using System.Diagnostics;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>The recorder, by really recording a program of known behaviour.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class RecordingRunnerTests : IDisposable
{
    private static readonly string s_program = Path.Combine(
        AppContext.BaseDirectory,
        "TestProgram" + (OperatingSystem.IsWindows() ? ".exe" : "")
    );

    private readonly string _root = Directory.CreateTempSubdirectory("esp-test-").FullName;

    private string Folder => Path.Combine(_root, "recording");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Records_a_marked_program_from_start_to_end()
    {
        var result = await RecordAsync(Options("runs", "3", Path.Combine(Folder, Recording.RunsFileName)));

        Assert.Equal(0, result.ExitCode);
        Assert.True(result.Recording.Complete, result.Recording.Interruption);
        Assert.Empty(result.Recording.Losses);
        var process = Assert.Single(result.Recording.Processes);
        Assert.Equal(ProcessRole.Measured, process.Role);
        Assert.StartsWith(".NET 10.", process.Runtime, StringComparison.Ordinal);
        Assert.Contains("TestProgram", process.CommandLine, StringComparison.Ordinal);
        Assert.Equal(["clr.nettrace", "code.nettrace.zst"], process.Sessions.Select(session => session.File));
        foreach (var session in process.Sessions)
        {
            var source = NetTraceSource.Open(Path.Combine(Folder, session.File));
            Assert.Equal(session.Bytes, source.FileBytes);
            Assert.Null(source.Read(new EventHub()).Damage);
        }

        Assert.Equal("Nettrace", ReadMagic("clr.nettrace"));
        Assert.Equal(1 + 3, File.ReadAllLines(Path.Combine(Folder, result.Recording.RunsFile)).Length);
        Assert.Equal(
            ["clr.nettrace", "code.nettrace.zst", "recording.json", "runs.csv"],
            Directory.GetFiles(Folder).Select(Path.GetFileName).Order()
        );
        Assert.Equivalent(result.Recording, RecordingFile.Read(Folder));
    }

    /// <summary>Most of a file with a rundown are names of methods, which only one pass needs.</summary>
    [Fact]
    public async Task A_second_pass_does_not_read_blocks_in_which_it_wants_nothing()
    {
        const EventKinds Kinds = EventKinds.All & ~EventKinds.MethodCode;
        await RecordAsync(Options("runs", "3"));
        var bytes = FileContent.Read(Path.Combine(Folder, "code.nettrace.zst"));
        var path = Path.Combine(Folder, "x.nettrace");
        await File.WriteAllBytesAsync(path, bytes, TestContext.Current.CancellationToken);
        var layout = NetTraceLayout.Scan(path);
        var source = NetTraceSource.Open(layout);
        var (first, second) = (new JitStarts(), new JitStarts());
        var whole = source.Read(first, Kinds);

        var filter = new NetTraceDispatcher(EventHub.Of(new JitStarts(), Kinds), 8);
        using var reader = new NetTraceReader(layout);
        var types = reader.ReadTypes();
        var skipped = 0;
        foreach (var (place, ids) in layout.Blocks.Zip(layout.TypesOfBlocks))
        {
            if (ids is null || ids.Any(id => filter.Wants(types[id])))
                continue;
            Array.Clear(bytes, (int)place.ContentAt, place.ContentBytes);
            skipped += place.ContentBytes;
        }

        Assert.InRange(skipped, bytes.Length / 3, bytes.Length);
        await File.WriteAllBytesAsync(path, bytes, TestContext.Current.CancellationToken);
        Assert.Same(whole, source.Read(second, Kinds));
        Assert.InRange(first.Count, 100, int.MaxValue);
        Assert.Equal(first.Count, second.Count);
    }

    [Fact]
    public async Task Grandchildren_are_resumed_and_not_recorded()
    {
        var result = await RecordAsync(Options("spawn", "spawn", "exit", "7"));

        Assert.Equal(7, result.ExitCode);
        Assert.Single(result.Recording.Processes);
        Assert.True(result.Recording.Complete);
    }

    [Fact]
    public async Task Follow_records_every_process_in_files_of_its_own()
    {
        var result = await RecordAsync(Options("spawn", "runs", "2") with { FollowAll = true });

        Assert.Equal(0, result.ExitCode);
        Assert.Equal([ProcessRole.Measured, ProcessRole.Descendant], result.Recording.Processes.Select(process => process.Role));
        var descendant = result.Recording.Processes[1];
        Assert.Equal(
            [$"clr.{descendant.ProcessId}.nettrace", $"code.{descendant.ProcessId}.nettrace.zst"],
            descendant.Sessions.Select(session => session.File)
        );
        Assert.All(descendant.Sessions, session => Assert.True(session.Bytes > 0));
    }

    [Fact]
    public async Task A_crash_leaves_a_complete_recording_with_the_exit_code()
    {
        var result = await RecordAsync(Options("crash"));

        Assert.NotEqual(0, result.ExitCode);
        Assert.True(result.Recording.Complete, result.Recording.Interruption);
        Assert.All(Assert.Single(result.Recording.Processes).Sessions, session => Assert.True(session.Bytes > 0));
    }

    [Fact]
    public async Task A_recording_that_the_user_ends_is_complete_and_the_program_is_ended()
    {
        using var interrupt = new CancellationTokenSource();
        var sleeping = new SignalWriter("sleeping");
        var recording = RecordingRunner.RunAsync(Options("sleep") with { Output = sleeping }, progress: null, interrupt.Token);
        await sleeping.Seen.WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);
        await interrupt.CancelAsync();

        var result = await recording.WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);

        Assert.True(result.Recording is { EndedByUser: true, Complete: true, Interruption: "" });
        var process = Assert.Single(result.Recording.Processes);
        Assert.All(process.Sessions, session => Assert.Equal("", session.Error));
        Assert.True(process.Sessions[1].Bytes > 100_000, "the rundown was taken");
        Assert.True(HasEnded(process.ProcessId));
    }

    [Fact]
    public async Task A_full_disk_is_reported_and_what_was_written_stays()
    {
        var options = Options("runs", "50") with
        {
            OpenTrace = path =>
                path.EndsWith("code.nettrace", StringComparison.Ordinal) ? new FullDisk(path, 64 * 1024) : File.Create(path),
        };

        var result = await RecordAsync(options);

        Assert.Equal(0, result.ExitCode);
        Assert.True(result.CouldNotWrite);
        Assert.False(result.Recording.Complete);
        Assert.Contains("session 'code'", Assert.Single(result.Recording.Losses), StringComparison.Ordinal);
        Assert.Contains("disk full", result.Recording.Losses[0], StringComparison.Ordinal);
        var sessions = result.Recording.Processes[0].Sessions;
        Assert.Equal("", sessions[0].Error);
        Assert.True(sessions[1].Bytes is > 0 and <= 64 * 1024);
        Assert.Equal("Nettrace", ReadMagic("code.nettrace"));
    }

    [Fact]
    public async Task A_disk_that_is_full_when_a_trace_is_closed_is_reported_too()
    {
        var result = await RecordAsync(
            Options("plain") with
            {
                OpenTrace = path => path.EndsWith("clr.nettrace", StringComparison.Ordinal) ? new FullAtClose(path) : File.Create(path),
            }
        );

        Assert.True(result.CouldNotWrite);
        Assert.False(result.Recording.Complete);
        Assert.Equal("could not be completed: disk full", result.Recording.Processes[0].Sessions[0].Error);
        Assert.Equivalent(result.Recording, RecordingFile.Read(Folder));
    }

    [Fact]
    public async Task A_circular_recording_writes_at_the_end_what_a_full_disk_lets_it()
    {
        var mode = RecordingMode.Circular(64 << 20);
        var whole = await RecordAsync(Options("runs", "20") with { Mode = mode });
        Assert.True(whole.Recording.Complete, whole.Recording.Interruption);
        Assert.False(whole.CouldNotWrite);
        Assert.Equal(
            (64L << 20, KeptInterval.AtEnd, 0L),
            (whole.Recording.Kept!.LimitBytes, whole.Recording.Kept.Trigger, whole.Recording.Kept.DroppedBytes)
        );
        Assert.All(
            whole.Recording.Processes[0].Sessions,
            session => Assert.Equal(session.Bytes, new FileInfo(Path.Combine(Folder, session.File)).Length)
        );
        Assert.Equivalent(whole.Recording, RecordingFile.Read(Folder));

        Directory.Delete(Folder, recursive: true);
        var cut = await RecordAsync(
            Options("runs", "20") with
            {
                Mode = mode,
                OpenTrace = path =>
                    path.EndsWith("code.nettrace", StringComparison.Ordinal) ? new FullDisk(path, 256 * 1024) : File.Create(path),
            }
        );
        Assert.True(cut.CouldNotWrite);
        Assert.False(cut.Recording.Complete);
        Assert.Equal("code.nettrace could not be written: disk full", Assert.Single(cut.Recording.Losses));
        Assert.InRange(cut.Recording.Processes[0].Sessions[1].Bytes, 1, 256 * 1024);
        Assert.Equal("Nettrace", ReadMagic("code.nettrace"));
    }

    [Fact]
    public async Task A_program_that_does_not_exist_leaves_nothing_behind()
    {
        var error = await Assert.ThrowsAsync<LaunchException>(() => RecordAsync(Options() with { Command = ["no-such-program-4711"] }));

        Assert.Contains("no-such-program-4711", error.Message, StringComparison.Ordinal);
        Assert.False(Directory.Exists(Folder));
    }

    [Fact]
    public async Task A_program_without_NET_leaves_no_recording_and_a_line_says_so()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "uses /bin/true");

        var result = await RecordAsync(Options() with { Command = ["/bin/true"] });

        Assert.Empty(result.Recording.Processes);
        Assert.Contains("no .NET runtime connected", Assert.Single(result.Recording.Losses), StringComparison.Ordinal);
        Assert.True(result.IsRemoved);
        Assert.Equal($"nothing was recorded; the files in {Folder} were removed", result.Outcome);
        Assert.False(Directory.Exists(Folder));
    }

    [Fact]
    public async Task A_file_that_the_program_wrote_into_the_folder_stays()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "uses /bin/sh");

        var result = await RecordAsync(Options() with { Command = ["/bin/sh", "-c", $"echo mine > {Folder}/mine.txt"] });

        Assert.False(result.IsRemoved);
        Assert.Equal($"no process was recorded to {Folder}", result.Outcome);
        Assert.Equal(["mine.txt", Recording.FileName], Directory.GetFiles(Folder).Select(Path.GetFileName).Order());
    }

    [Fact]
    public async Task A_folder_with_something_in_it_is_refused()
    {
        Directory.CreateDirectory(Folder);
        await File.WriteAllTextAsync(Path.Combine(Folder, "mine.txt"), "", TestContext.Current.CancellationToken);

        await Assert.ThrowsAsync<ProblemException>(() => RecordAsync(Options("plain")));

        Assert.Equal(["mine.txt"], Directory.GetFiles(Folder).Select(Path.GetFileName));
    }

    [Fact]
    public async Task Progress_counts_runs_bytes_and_planned_runs()
    {
        var end = Path.Combine(_root, "end");
        var seen = new List<RecordingProgress>();
        var collector = new Collector(progress =>
        {
            seen.Add(progress);
            if (progress is { RunsDone: > 0, RunsPlanned: 4000, Bytes: > 0 })
                File.WriteAllText(end, "");
        });
        var result = await RecordingRunner
            .RunAsync(
                Options("until", end, Path.Combine(Folder, Recording.RunsFileName), "4000"),
                collector,
                TestContext.Current.CancellationToken
            )
            .WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);

        Assert.Equal(0, result.ExitCode);
        Assert.True(File.Exists(end));
        Assert.Equal(seen.OrderBy(progress => progress.RunsDone), seen);
    }

    private static bool HasEnded(int processId)
    {
        try
        {
            using var process = Process.GetProcessById(processId);
            return process.HasExited;
        }
        catch (ArgumentException)
        {
            return true;
        }
    }

    private static Task<RecordingResult> RecordAsync(RecordOptions options) =>
        RecordingRunner
            .RunAsync(options, progress: null, TestContext.Current.CancellationToken)
            .WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);

    private RecordOptions Options(params string[] arguments) =>
        new()
        {
            Command = [s_program, .. arguments],
            Environment = new Dictionary<string, string?>
            {
                ["DOTNET_ROOT"] = Path.GetFullPath(
                    Path.Combine(System.Runtime.InteropServices.RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..")
                ),
                ["DOTNET_DbgEnableMiniDump"] = "0",
            },
            Folder = Folder,
            Sessions = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None),
            ToolVersion = "test",
            Output = TextWriter.Null,
        };

    private string ReadMagic(string file)
    {
        using var stream = File.OpenRead(Path.Combine(Folder, file));
        var magic = new byte[8];
        stream.ReadExactly(magic);
        return System.Text.Encoding.ASCII.GetString(magic);
    }

    /// <summary>A file on a disk that is full after some bytes.</summary>
    private sealed class FullDisk(string path, long capacity) : FileStream(path, FileMode.CreateNew)
    {
        /// <summary>The overload with a span calls this one.</summary>
        public override void Write(byte[] buffer, int offset, int count)
        {
            if (Position + count > capacity)
                throw new IOException("disk full");
            base.Write(buffer, offset, count);
        }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            Position + buffer.Length <= capacity ? base.WriteAsync(buffer, cancellationToken) : throw new IOException("disk full");
    }

    /// <summary>A file whose last bytes do not fit when it is closed.</summary>
    private sealed class FullAtClose(string path) : FileStream(path, FileMode.CreateNew)
    {
        public override async ValueTask DisposeAsync()
        {
            await base.DisposeAsync();
            throw new IOException("disk full");
        }
    }

    /// <summary>Signals that a line was written.</summary>
    private sealed class SignalWriter(string line) : StringWriter
    {
        private readonly TaskCompletionSource _seen = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Seen => _seen.Task;

        public override Task WriteLineAsync(string? value)
        {
            if (value == line)
                _seen.TrySetResult();
            return Task.CompletedTask;
        }
    }

    private sealed class Collector(Action<RecordingProgress> report) : IProgress<RecordingProgress>
    {
        public void Report(RecordingProgress value) => report(value);
    }

    private sealed class JitStarts : IEventSubscriber
    {
        public int Count { get; private set; }

        public void Subscribe(EventHub hub) => hub.Subscribe((in JitStarted _) => Count++);
    }
}
