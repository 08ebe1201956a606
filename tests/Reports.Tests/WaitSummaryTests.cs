using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>The threads in the summary of a program.</summary>
public sealed class WaitSummaryTests
{
    private const ulong Enter = 0x1010;
    private const ulong Sleep = 0x2010;
    private const ulong GetOrAdd = 0x3010;
    private const ulong Idle = 0x4010;

    [Fact]
    public void Threads_are_grouped_by_their_names_and_waits_by_what_they_are_for()
    {
        var trace = new SyntheticTrace()
            .Module("/app/App.dll")
            .Module("/shared/System.Private.CoreLib.dll", 2)
            .Code(1, Enter - 0x10, "System.Threading.Monitor", "Enter", 1, module: 2)
            .Code(1, Sleep - 0x10, "System.Threading.Thread", "Sleep", 2, module: 2)
            .Code(1, GetOrAdd - 0x10, "App.Cache+<GetOrAdd>d__1", "MoveNext", 3)
            .Code(1, Idle - 0x10, "System.Threading.PortableThreadPool+WorkerThread", "WorkerThreadStart", 4, module: 2)
            .Named(1, 11, "worker-1")
            .Named(1, 12, "worker-2")
            .Named(1, 13, ".NET TP Worker")
            .MethodLoad(1, 1)
            .MethodLoad(9_000_000, 2);
        foreach (var (thread, stop) in (ReadOnlySpan<(int, double)>)[(11, 3_000_000), (12, 4_000_000)])
            Wait(trace.SwitchIn(500_000, thread), 1_000_000, stop, thread, Enter, GetOrAdd)
                .SwitchOut(stop + 1_000_000, thread, preempted: true);
        Wait(trace.SwitchIn(0, 13), 1_000_000, 6_000_000, 13, Idle).SwitchOut(7_000_000, 13, preempted: true);
        Wait(trace.SwitchIn(7_000_000, 13), 7_100_000, 7_350_000, 13, Sleep, GetOrAdd);

        Assert.Equal(
            [
                "CPU time by thread group: worker-# (2) 59 %, .NET TP Worker 41 %",
                "Waits by reason: lock 5.00 s (2 threads, mostly in App.Cache.GetOrAdd), sleep 0.25 s (1 thread, mostly in App.Cache.GetOrAdd); 5.00 s idle",
            ],
            Lines(trace)
        );
    }

    [Fact]
    public void What_was_not_recorded_is_said()
    {
        var row = Assert.Single(RunAnalysis.Run(Processes(new SyntheticTrace().MethodLoad(1, 1).MethodLoad(5000, 2)), []).Rows);
        Assert.Equal(["CPU time by thread group: not recorded", "Waits by reason: not recorded"], WaitSummary.Lines(row.Key, null));
    }

    [Theory]
    [InlineData(
        EventKinds.SwitchOutStacks | EventKinds.SwitchInStacks,
        "Waits by reason: not recorded 2.50 s (1 thread, no stacks of context switches: see esp-record doctor); 1.00 s idle"
    )]
    [InlineData(
        EventKinds.ContextSwitches,
        "Waits by reason: none; sleep and I/O not recorded: no context switches (see esp-record doctor)"
    )]
    [InlineData(
        EventKinds.ContextSwitches,
        "Waits by reason: none; I/O not recorded: no context switches (see esp-record doctor)",
        EventDetails.ManagedSamples
    )]
    public void Missing_switches_and_stacks_are_named_with_what_shows_how_to_get_them(
        EventKinds missing,
        string line,
        EventDetails details = EventDetails.None
    )
    {
        var trace = new SyntheticTrace { Kinds = EventKinds.All & ~missing, Details = EventDetails.Stacks | details }
            .Named(1, 13, ".NET Timer")
            .MethodLoad(1, 1)
            .MethodLoad(9_000_000, 2)
            .SwitchIn(2, 11)
            .SwitchOut(1_000_000, 11)
            .SwitchIn(3_500_000, 11)
            .SwitchIn(2, 13)
            .SwitchOut(1_000_000, 13)
            .SwitchIn(2_000_000, 13);

        Assert.Equal(line, Lines(trace).Last());
    }

    private static IEnumerable<string> Lines(SyntheticTrace trace)
    {
        var result = RunAnalysis.Run(Processes(trace), []);
        var waits = WaitAnalysis.Run(
            Processes(trace),
            result.Runs,
            new EventQuery(new RunFilter(), 1),
            new SymbolFiles("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero)
        );
        return WaitSummary.Lines(Assert.Single(result.Rows).Key, waits);
    }

    private static IReadOnlyList<TracedProcess> Processes(SyntheticTrace trace) =>
        [new TracedProcess(trace.ProcessId, "program", ".NET 10.0", [trace], [])];

    private static SyntheticTrace Wait(SyntheticTrace trace, double start, double stop, int thread, params ulong[] stack) =>
        trace.SwitchOutStack(start - 1, thread, 0, stack).SwitchOut(start, thread).SwitchIn(stop, thread);
}
