using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.Jit;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Records runs with known events (KnownEvents of TestProgram), and compares every report on events with them.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class KnownEventTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-events-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Every_report_finds_what_the_program_did(bool withKernel)
    {
        if (withKernel)
            PerfRecordingFixture.SkipUnlessPermitted();
        using var output = new StringWriter();
        var recorded = await RecordAsync(output, withKernel);
        var truth = output
            .ToString()
            .Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => line.Split(' '))
            .Where(words => words.Length == 2)
            .ToDictionary(words => words[0], words => double.Parse(words[1], CultureInfo.InvariantCulture));
        var input = TraceInputReader.Open([recorded.Folder]);
        var processes = input.Processes;
        var runs = RunAnalysis.Run(processes, []).Runs;
        var files = new SymbolFiles(
            recorded.Recording.Host.MachineName,
            recorded.Recording.StartedUtc,
            TimeSpan.FromMilliseconds(recorded.Recording.DurationMs)
        );
        Assert.Equal(6, runs.Count);
        var pid = runs[0].ProcessId;

        // Exceptions: thrown where and how often. Whether throw; writes another event depends on the runtime.
        var exceptions = ExceptionAnalysis.Run(processes, runs, Query("Exceptions"), files).Rows;
        var format = Assert.Single(exceptions, row => row.Type == "System.FormatException");
        Assert.Equal(
            ("KnownEvents.ThrowFormat", KnownEvents.Thrown, 0, "wrong 1", new FormatException().HResult),
            (format.Method?.Name, (int)format.Count, (int)format.Rethrown, format.Message, format.HResult)
        );
        var again = exceptions.Where(row => row.Type == "System.InvalidOperationException").ToList();
        Assert.Equal(KnownEvents.Rethrown, again.Sum(row => row.Count - row.Rethrown));
        Assert.All(again, row => Assert.Equal(("KnownEvents.ThrowAgain", "first"), (row.Method?.Name, row.Message)));
        Assert.Equal(Only("Exceptions").Exceptions, exceptions.Sum(row => row.Count));
        Assert.Equal("wrong {n}", format.Pattern);
        var stacks = ExceptionAnalysis.Run(processes, runs, Query("Exceptions"), files).Stacks;
        Assert.Equal(exceptions.Sum(row => row.Count), stacks.Sum(stack => stack.Count));
        Assert.All(
            stacks.Where(stack => stack.Row.Type == format.Type),
            stack =>
                Assert.Equal(
                    "KnownEvents.Exceptions",
                    stack
                        .Frames[stack.Frames.Index().First(frame => frame.Item.Method.Name == "KnownEvents.ThrowFormat").Index + 1]
                        .Method
                        .Name
                )
        );

        // Locks: each contention of the measuring thread, not longer than by its own clock.
        var locks = LockAnalysis.Run(processes, runs, Query("Locks"), files).Rows;
        var contend = locks.Where(row => row.Method?.Name == "KnownEvents.Contend").ToList();
        Assert.Equal(KnownEvents.Contentions, contend.Sum(row => row.Count));
        Assert.InRange(contend.Sum(row => row.Ms), 0.001, truth["lockMs"]);
        Assert.Single(contend.Select(row => row.LockId).Distinct());
        Assert.All(contend, row => Assert.True(row.LockId is not null && row.OwnerThreadId is not null));
        if (withKernel)
            Assert.All(contend, row => Assert.Equal("lock-holder", row.OwnerThread));
        SameSums(Only("Locks").Contentions, Only("Locks").ContentionMs!.Value, locks.Sum(row => row.Count), locks.Sum(row => row.Ms));

        // Allocation: both types within five of their stated standard errors.
        Within(
            Allocated(AllocationGrouping.Type, row => row.Type == "System.Byte[]"),
            KnownEvents.Arrays * (KnownEvents.ArrayLength + 24.0)
        );
        Within(
            Allocated(AllocationGrouping.Type, row => row.Type?.EndsWith("Node", StringComparison.Ordinal) == true),
            KnownEvents.Nodes * 32.0
        );
        Within(
            Allocated(AllocationGrouping.Method, row => row.Method?.Name == "KnownEvents.AllocateArrays"),
            KnownEvents.Arrays * (KnownEvents.ArrayLength + 24.0)
        );
        Within(Allocated(AllocationGrouping.Method, row => row.Method?.Name == "KnownEvents.AllocateNodes"), KnownEvents.Nodes * 32.0);
        Assert.Equal(Only("Allocation").AllocatedBytes, Allocated(AllocationGrouping.Serializer, _ => true).ExactBytes);

        // GCs: those that the program counted, all induced, with the heap that it keeps alive.
        var all = GcAnalysis.Run(processes, runs, Query("Gcs"), files);
        Assert.Equal(Only("Gcs").OwnGcs, all.Counts);
        Assert.Equal((4, 4), (all.Rows.Count, all.Induced));
        Assert.Equal(Only("Gcs").PauseTotalMs!.Value, all.PauseMs, 6);
        Assert.All(
            all.Rows,
            row =>
                Assert.True(
                    row.PauseMs > 0 && row.BytesBefore > KnownEvents.KeptBytes && row.BytesAfter > KnownEvents.KeptBytes,
                    row.ToString()
                )
        );
        Assert.Contains(all.Rows, row => row is { Generation: 2, Kind: GcKind.Background });

        // Waits: by switches every one, by events those for handles; never longer than by the program's clock.
        var waits = WaitAnalysis.Run(processes, runs, Query("Waits"), files).Rows;
        var answers = waits.Where(row => row.Method?.Name == "KnownEvents.WaitForAnswer").ToList();
        Assert.True(
            withKernel ? answers.Sum(row => row.Count) > 0 : answers.Sum(row => row.Count) == KnownEvents.EventWaits,
            $"{answers.Sum(row => row.Count)} waits for answers"
        );
        Assert.InRange(answers.Sum(row => row.Ms), 0.001, truth["eventMs"]);
        Assert.All(waits, row => Assert.Equal(withKernel ? WaitSource.Switches : WaitSource.Events, row.Source));
        if (withKernel && Only("Waits").Measuring is { } measuring)
        {
            SameSums(measuring.VoluntarySwitches!.Value, measuring.WaitMs, waits.Sum(row => row.Count), waits.Sum(row => row.Ms));
            Assert.True(waits.Sum(row => row.Ms) > answers.Sum(row => row.Ms), "naps are waits, too");
        }

        // Compilations: of each instance, on the thread that called it.
        var compilations = JitAnalysis.Run(processes, runs, Query("Jit"), files).Rows;
        var fresh = compilations.Where(row => row.Method == "KnownEvents.Fresh").ToList();
        Assert.Equal(5, fresh.Sum(row => row.Count));
        Assert.All(
            fresh,
            row => Assert.True(row is { Threads: JitThreadKinds.Caller, Ms: > 0, IlBytes: > 0, NativeBytes: > 0 }, row.ToString())
        );
        SameSums(Only("Jit").JitMethods, Only("Jit").JitMs!.Value, compilations.Sum(row => row.Count), compilations.Sum(row => row.Ms));

        Run Only(string name) => Assert.Single(runs, run => run.Identity.Serializer == name && run.ProcessId == pid);

        AllocationRow Allocated(AllocationGrouping grouping, Predicate<AllocationRow> which) =>
            Assert.Single(AllocationAnalysis.Run(processes, runs, Query("Allocation"), grouping, files).Rows, which);

        static void Within(AllocationRow row, double exact) =>
            Assert.InRange(row.Bytes, exact - (5 * row.ErrorBytes!.Value), exact + (5 * row.ErrorBytes!.Value));
    }

    private static EventQuery Query(string name) => new(new RunFilter { Serializer = name }, null);

    private static void SameSums(long? expectedCount, double expectedMs, long count, double ms)
    {
        Assert.Equal(expectedCount, count);
        Assert.Equal(expectedMs, ms, 6);
    }

    private async Task<RecordingResult> RecordAsync(StringWriter output, bool withKernel)
    {
        var recorded = await RecordingRunner
            .RunAsync(
                new RecordOptions
                {
                    Command = PerfRecordingFixture.Command("events"),
                    Environment = PerfRecordingFixture
                        .Program(PerfRecordingFixture.Command())
                        .Environment.ToDictionary(variable => variable.Key, variable => variable.Value),
                    Folder = Path.Combine(_root, "recording"),
                    Sessions = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.Sampled),
                    Kernel = withKernel ? PerfEventPlan.Create(PerfEventScope.Launch) : null,
                    ToolVersion = "test",
                    Output = output,
                },
                progress: null,
                TestContext.Current.CancellationToken
            )
            .WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);
        Assert.Equal(0, recorded.ExitCode);
        return recorded;
    }
}
