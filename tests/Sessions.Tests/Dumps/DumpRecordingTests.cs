using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Sessions.Attach;
using EtwSerializerProfiler.Sessions.Dumps;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;
using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Sessions.Tests.Dumps;

/// <summary>Dumps of a program of known behaviour, taken while it is really recorded.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class DumpRecordingTests : IDisposable
{
    private static readonly string s_program = Path.Combine(
        AppContext.BaseDirectory,
        "TestProgram" + (OperatingSystem.IsWindows() ? ".exe" : "")
    );

    private readonly string _root = Directory.CreateTempSubdirectory("esp-dump-").FullName;

    private string Folder => Path.Combine(_root, "recording");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task The_thread_that_throws_is_held_until_its_dump_is_written()
    {
        var output = new StringWriter();
        var plan = Plan("System.FormatException~VALUE 3", "FormatException:2", "System.IO.IOException");

        var result = await RecordAsync(plan, output, "throwing", "4");

        SkipWherePtraceIsForbidden(result.Recording);
        Assert.Equal(0, result.ExitCode);
        Assert.True(result.Recording.Complete, result.Recording.Interruption);
        Assert.Equivalent(result.Recording, RecordingFile.Read(Folder));
        var throws = Throws(output);
        Assert.Equal(["FormatException:2", "System.FormatException~VALUE 3"], result.Recording.Dumps.Select(dump => dump.Trigger));
        foreach (var (dump, number, throwNumber) in new[] { (result.Recording.Dumps[0], 2, 2), (result.Recording.Dumps[1], 3, 1) })
        {
            Assert.True(dump.Held, dump.Note);
            Assert.Equal(
                (result.Recording.Processes[0].ProcessId, "heap", "System.FormatException", $"value {number} is no number", throwNumber),
                (dump.ProcessId, dump.Kind, dump.ExceptionType, dump.Message, dump.ThrowNumber)
            );

            // By the program's own clock: the handler came after the dump.
            Assert.True(
                throws[number - 1].Start <= dump.MomentTicks
                    && dump.MomentTicks <= dump.StartTicks
                    && dump.StartTicks < dump.StopTicks
                    && dump.StopTicks <= throws[number - 1].Stop
            );
            Assert.Equal(new FileInfo(Path.Combine(Folder, dump.File)).Length, dump.Bytes);
            HasCurrentException(dump, $"value {number} is no number");
        }

        var missing = Assert.Single(result.Recording.DumpsNotTaken);
        Assert.Equal("System.IO.IOException", missing.Trigger);
        Assert.Contains("there was no throw 1 of System.IO.IOException", missing.Reason, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(Path.GetTempPath(), $"esp-dump-{Environment.ProcessId}-*.sock"));
    }

    [Fact]
    public async Task Pauses_memory_and_hangs_are_dumped_up_to_the_limit_and_the_recording_goes_on()
    {
        using var interrupt = new CancellationTokenSource();
        var plan = Plan("gc-pause>0.0001", "memory>100", "hang>2", "memory>101") with { Limit = 3, Kind = DumpKind.Mini };
        var recording = RecordingRunner.RunAsync(Options(plan, TextWriter.Null, "stall"), progress: null, interrupt.Token);
        await Until(() => RecordingFile.Read(Folder) is { } soFar && soFar.Dumps.Count + soFar.DumpsNotTaken.Count >= 4);
        await interrupt.CancelAsync();

        var result = await recording.WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);

        SkipWherePtraceIsForbidden(result.Recording);
        Assert.Equal(3, result.Recording.Dumps.Count);
        Assert.All(
            result.Recording.Dumps,
            dump =>
            {
                Assert.False(dump.Held);
                Assert.Null(dump.ThrowNumber);
                Assert.Equal("mini", dump.Kind);
                Assert.Matches(
                    dump.Trigger switch
                    {
                        "gc-pause>0.0001" => @"^a GC paused the program for \d+\.\d ms$",
                        "hang>2" => @"^nearly no CPU time had been used for \d+\.\d s$",
                        _ => @"^\d+\.\d MB were resident$",
                    },
                    dump.Note
                );
                Assert.True(dump.MomentTicks <= dump.StartTicks);
            }
        );
        Assert.Equal(
            "process " + result.Recording.Dumps[0].ProcessId + ": the limit of 3 dumps is reached (--dump-limit)",
            Assert.Single(result.Recording.DumpsNotTaken).Reason
        );
        Assert.All(result.Recording.Processes[0].Sessions, session => Assert.Equal("", session.Error));
    }

    [Theory]
    [InlineData(1_000_000, long.MaxValue, "1 of the 1 MB for dumps are left (--dump-max-size)")]
    [InlineData(long.MaxValue, 1_005_000_000, "the disk has 1005 MB left, and 1000 MB must stay free")]
    public async Task Dumps_without_room_are_not_taken_and_the_thread_goes_on(long maxBytes, long freeBytes, string expected)
    {
        var result = await RecordAsync(
            Plan("FormatException") with
            {
                MaxBytes = maxBytes,
                FreeBytes = _ => freeBytes,
            },
            TextWriter.Null,
            "throwing",
            "2"
        );

        Assert.Equal(0, result.ExitCode);
        Assert.True(result.Recording.Complete);
        Assert.Empty(result.Recording.Dumps);
        Assert.Contains(expected, Assert.Single(result.Recording.DumpsNotTaken).Reason, StringComparison.Ordinal);
        Assert.False(Directory.Exists(Path.Combine(Folder, RecordedDump.FolderName)));
    }

    [Fact]
    public async Task A_process_that_runs_already_gets_the_nearest_dump()
    {
        using var program = Process.Start(
            new ProcessStartInfo(s_program, ["throwing", "3", "-", "wait"]) { RedirectStandardInput = true, RedirectStandardOutput = true }
        )!;
        try
        {
            Assert.Equal("waiting", await program.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));
            var target = await AttachTarget.FindAsync(program.Id, new RecordLimits().Answer);
            using var end = new CancellationTokenSource();
            var recording = AttachRunner.RunAsync(
                target,
                Options(Plan("FormatException~value 2") with { Kind = DumpKind.Mini }, TextWriter.Null),
                progress: null,
                end.Token
            );
            await Until(() => RecordingFile.Read(Folder).Span is { StartTicks: > 0 });
            await program.StandardInput.WriteLineAsync();
            await Until(() => RecordingFile.Read(Folder) is { } soFar && soFar.Dumps.Count + soFar.DumpsNotTaken.Count == 1);
            Assert.False(program.HasExited);
            await program.StandardInput.WriteLineAsync();
            var result = await recording.WaitAsync(Wait.Limit, TestContext.Current.CancellationToken); // ends with the program

            SkipWherePtraceIsForbidden(result.Recording);
            var dump = Assert.Single(result.Recording.Dumps);
            Assert.Equal(
                (false, "System.FormatException", "value 2 is no number", 1L),
                (dump.Held, dump.ExceptionType, dump.Message, dump.ThrowNumber)
            );
            Assert.Matches(@"^taken \d+ ms after the throw, because no hook held the thread$", dump.Note);
        }
        finally
        {
            if (!program.HasExited)
                program.Kill();
        }
    }

    [Theory]
    [InlineData("7f0000000000-7f0000001000 rw-p 00000000 00:00 0 ", 4096, 4096)]
    [InlineData("7f0000000000-7f0000001000 r-xp 00000000 00:00 0 /usr/lib/x.so", 0, 4096)]
    [InlineData("7f0000000000-7f0000001000 ---p 00000000 00:00 0 ", 0, 0)]
    [InlineData("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]", 0, 0)]
    [InlineData("7f0000001000-7f0000000000 rw-p", 0, 0)]
    [InlineData("zz-yy rw-p", 0, 0)]
    [InlineData("", 0, 0)]
    [InlineData("7f-80", 0, 0)]
    public void A_dump_has_the_mappings_of_its_kind(string line, long heap, long full) =>
        Assert.Equal((heap, full), (DumpSizeEstimate.OfMapping(line, DumpKind.Heap), DumpSizeEstimate.OfMapping(line, DumpKind.Full)));

    private static void SkipWherePtraceIsForbidden(Recording recording) =>
        Assert.SkipWhen(
            recording.Dumps.Count == 0
                && recording.DumpsNotTaken.Any(dump => dump.Reason.Contains("the runtime could not write it", StringComparison.Ordinal)),
            string.Join("; ", recording.DumpsNotTaken.Select(dump => dump.Reason))
        );

    /// <summary>The dump as a debugger sees it: the exception on its thread, and the frame that threw it.</summary>
    private void HasCurrentException(RecordedDump dump, string message)
    {
        using var target = DataTarget.LoadDump(Path.Combine(Folder, dump.File));
        using var runtime = target.ClrVersions[0].CreateRuntime();
        var thread = Assert.Single(runtime.Threads, thread => thread.OSThreadId == dump.ThreadId);
        Assert.Equal(dump.ManagedThreadId, thread.ManagedThreadId);
        Assert.Equal(("System.FormatException", message), (thread.CurrentException?.Type.Name, thread.CurrentException?.Message));
        var frames = thread
            .EnumerateStackTrace()
            .Select(frame => frame.Method is { } method ? $"{method.Type.Name}.{method.Name}" : "")
            .ToList();
        Assert.Contains("Thrower.Read", frames);
        Assert.Contains("EtwSerializerProfiler.Marks.RunClock.Measure", frames);
    }

    private Task<RecordingResult> RecordAsync(DumpPlan plan, TextWriter output, params string[] arguments) =>
        RecordingRunner
            .RunAsync(Options(plan, output, arguments), progress: null, TestContext.Current.CancellationToken)
            .WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);

    private RecordOptions Options(DumpPlan plan, TextWriter output, params string[] arguments) =>
        new()
        {
            Command = [s_program, .. arguments],
            Environment = new Dictionary<string, string?>
            {
                ["DOTNET_ROOT"] = Path.GetFullPath(
                    Path.Combine(System.Runtime.InteropServices.RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..")
                ),
            },
            Variables = plan.HookVariable(_ => null) is { } hook ? [hook] : [],
            Folder = Folder,
            Sessions = EventPipePlan.Create([EventPipePlan.ClrSession], AllocationEvents.None),
            ToolVersion = "test",
            Output = output,
            Dumps = plan,
        };

    private static DumpPlan Plan(params string[] triggers) =>
        new()
        {
            Triggers =
            [
                .. triggers.Select(text =>
                    DumpTrigger.TryParse(text, out var trigger, out var error) ? trigger! : throw new ArgumentException(error)
                ),
            ],
        };

    /// <summary>Lines of the program; createdump writes its own between them.</summary>
    private static List<(long Start, long Stop)> Throws(StringWriter output) =>
        [
            .. output
                .ToString()
                .Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
                .Where(line => char.IsAsciiDigit(line[0]))
                .Select(line => line.Split(' '))
                .Select(parts => (long.Parse(parts[0], CultureInfo.InvariantCulture), long.Parse(parts[1], CultureInfo.InvariantCulture))),
        ];

    private Task Until(Func<bool> condition) =>
        Wait.UntilAsync(
            () =>
            {
                try
                {
                    return File.Exists(Path.Combine(Folder, Recording.FileName)) && condition();
                }
                catch (IOException)
                {
                    return false; // being replaced
                }
            },
            "what the recording says so far"
        );
}
