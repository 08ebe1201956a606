using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using static EtwSerializerProfiler.Analysis.Tests.Waits.WaitingProgram;

namespace EtwSerializerProfiler.Analysis.Tests.Waits;

/// <summary>Waits of all threads of a program that marks no runs.</summary>
public sealed class ProgramWaitTests
{
    private const int Worker = 7;
    private const int Locker = 8;
    private const int Finalizer = 9;

    private const ulong Kernel = 0xffffffff81000000;

    [Theory]
    [InlineData(
        WaitReason.Lock,
        "App.Cache.GetOrAdd",
        "System.Threading.Monitor.Enter",
        "App.Cache.GetOrAdd",
        "System.Threading.Thread.StartCallback"
    )]
    [InlineData(
        WaitReason.Lock,
        "App.Cache.GetOrAdd",
        "System.Runtime.CompilerServices.ObjectHandleOnStack.Create",
        "System.Threading.Monitor.Enter",
        "App.Cache.GetOrAdd"
    )]
    [InlineData(
        WaitReason.Task,
        "App.Cache.GetOrAdd",
        "System.Threading.Monitor.Wait",
        "System.Threading.ManualResetEventSlim.Wait",
        "System.Threading.Tasks.Task.InternalWait",
        "App.Cache.GetOrAdd"
    )]
    [InlineData(
        WaitReason.Signal,
        "App.Cache.GetOrAdd",
        "System.Threading.Monitor.Wait",
        "System.Threading.SemaphoreSlim.Wait",
        "App.Cache.GetOrAdd"
    )]
    [InlineData(WaitReason.Sleep, "App.Cache.GetOrAdd", "System.Threading.Thread.Sleep", "App.Cache.GetOrAdd")]
    [InlineData(WaitReason.Join, "App.Cache.GetOrAdd", "System.Threading.Thread.Join", "App.Cache.GetOrAdd")]
    [InlineData(WaitReason.Io, "System.IO.FileStream.Read", "Interop+Sys.Read", "System.IO.FileStream.Read", "App.Cache.GetOrAdd")]
    [InlineData(
        WaitReason.Idle,
        "System.Threading.Thread.StartCallback",
        "System.Threading.Monitor.Wait",
        "System.Threading.SemaphoreSlim.Wait",
        "System.Threading.Thread.StartCallback"
    )]
    [InlineData(WaitReason.Runtime, "App.Cache.GetOrAdd", "App.Cache.GetOrAdd")]
    [InlineData(WaitReason.Idle, "System.Console.ReadLine", "Interop+Sys.Read", "System.Console.ReadLine", "App.Cache.GetOrAdd")]
    [InlineData(
        WaitReason.Idle,
        "App.Program.<Main>",
        "System.Threading.Tasks.Task.InternalWait",
        "System.Runtime.CompilerServices.TaskAwaiter.GetResult",
        "App.Program.<Main>"
    )]
    [InlineData(WaitReason.Task, "App.Program.Work", "System.Threading.Tasks.Task.InternalWait", "App.Program.Work", "App.Program.<Main>")]
    [InlineData(
        WaitReason.Idle,
        "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart",
        "System.Threading.LowLevelLifoSemaphore.WaitNative",
        "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart"
    )]
    public void The_stack_says_what_a_thread_waits_for(WaitReason reason, string method, params string[] stack)
    {
        // In the kernel, the C library and the runtime below managed code.
        var trace = Create().SwitchIn(100, Worker);
        Wait(trace, 200, 1200, Worker, [Kernel, Libc, Coreclr, .. stack.Select(frame => Code[frame] + 0x10)], kernel: 1);

        var row = Assert.Single(new EventTables(trace).Waits.Rows);
        Assert.Equal((reason, method, 1L, 1.0, 1), (row.Reason, row.Method?.Name, row.Count, Math.Round(row.Ms, 6), row.Threads));
    }

    [Fact]
    public void Work_items_are_those_of_pool_workers()
    {
        var trace = Create().Named(1, Worker, ".NET TP Worker").SwitchIn(100, Worker).SwitchIn(100, Locker);
        ulong[] Sleep(params string[] callers) =>
            [Libc, .. ((string[])["System.Threading.Thread.Sleep", "App.Program.Work", .. callers]).Select(frame => Code[frame] + 0x10)];
        Wait(
            trace,
            200,
            1200,
            Worker,
            Sleep("System.Threading.ThreadPoolWorkQueue.Dispatch", "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart")
        );
        Wait(trace, 1300, 1500, Locker, Sleep("System.Threading.Thread.StartCallback"));

        Assert.Equal(
            [(true, 1.0, "App.Program.Work"), (false, 0.2, "App.Program.Work")],
            new EventTables(trace).Waits.Sites.Select(row => (row.IsPool, Math.Round(row.Ms, 6), row.Own?.Name))
        );
    }

    [Fact]
    public void Waits_without_stacks_have_the_reason_of_the_runtimes_events_or_none()
    {
        var trace = Create(EventKinds.All & ~(EventKinds.SwitchOutStacks | EventKinds.SwitchInStacks))
            .Named(1, Finalizer, ".NET Timer")
            .SwitchIn(100, Worker)
            .SwitchIn(100, Locker)
            .SwitchIn(100, Finalizer)
            .Contention(190, 1210, Locker, 1, 0, Code["System.Threading.Monitor.Enter"] + 0x10, Code["App.Cache.GetOrAdd"] + 0x10)
            .Wait(
                1290,
                1420,
                Locker,
                Code["System.Threading.Monitor.Wait"] + 0x10,
                Code["System.Threading.Tasks.Task.InternalWait"] + 0x10,
                Code["App.Program.Work"] + 0x10
            );
        Wait(trace, 200, 1200, Locker);
        Wait(trace, 1300, 1400, Locker);
        Wait(trace, 200, 700, Worker);
        Wait(trace, 200, 1800, Finalizer);

        Assert.Equal(
            [
                (WaitReason.Lock, "App.Cache.GetOrAdd", 1.0),
                (WaitReason.Task, "App.Program.Work", 0.1),
                (WaitReason.Unknown, null, 0.5),
                (WaitReason.Idle, null, 1.6),
            ],
            new EventTables(trace).Waits.Rows.Select(row => (row.Reason, row.Method?.Name, Math.Round(row.Ms, 6)))
        );
        Assert.Contains(
            new EventTables(trace).Waits.Problems,
            problem => problem.Contains("context switches have no stacks", StringComparison.Ordinal)
        );
    }

    /// <summary>Without stacks only events distinguish a thread without work from one that sleeps.</summary>
    [Fact]
    public void Idle_threads_without_stacks_are_recognized_by_what_they_did_before()
    {
        const int Unnamed = 10;
        const int Early = 11;
        const int Late = 12;
        const int Main = 1;
        var trace = Create(EventKinds.All & ~(EventKinds.SwitchOutStacks | EventKinds.SwitchInStacks))
            .Creates(2, Main, Early) // by the host, before the runtime starts
            .Creates(3, Main, Finalizer)
            .Named(4, Finalizer, ".NET Finalizer")
            .Creates(5, Main, Unnamed)
            .Load(6, Main, "System.Private.CoreLib, Version=10.0.0.0")
            .Creates(7, Main, Late)
            .Named(7, Worker, ".NET TP Worker")
            .Finalizing(350, 650, Finalizer)
            .WorkerWait(190, Worker);
        foreach (var thread in (ReadOnlySpan<int>)[Finalizer, Unnamed, Early, Late, Worker])
            trace.SwitchIn(100, thread);
        Wait(trace, 200, 300, Finalizer);
        Wait(trace, 400, 600, Finalizer); // a finalizer sleeps
        Wait(trace, 700, 1000, Finalizer);
        Wait(trace, 200, 600, Worker);
        Wait(trace, 610, 1110, Worker); // a work item sleeps
        Wait(trace, 200, 800, Unnamed);
        Wait(trace, 200, 900, Early);
        Wait(trace, 200, 1000, Late);

        Assert.Equal(
            [(Early, 0.7, 0.0), (Finalizer, 0.2, 0.4), (Late, 0.8, 0.0), (Unnamed, 0.0, 0.6), (Worker, 0.5, 0.4)],
            new EventTables(trace)
                .Waits.Threads.AllRows.Select(row => ((int)row.ThreadId, Math.Round(row.WaitMs, 6), Math.Round(row.IdleMs, 6)))
                .Where(row => row.Item1 != Main)
                .OrderBy(row =>
                    row.Item1 switch
                    {
                        Early => 0,
                        Finalizer => 1,
                        Late => 2,
                        Unnamed => 3,
                        _ => 4,
                    }
                )
        );
    }

    /// <summary>A sleep has no event; the sample profiler walks threads that wait, too.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Sleeps_without_stacks_are_found_by_the_sample_profiler(bool hasSwitches)
    {
        var missing = EventKinds.SwitchOutStacks | EventKinds.SwitchInStacks | (hasSwitches ? 0 : EventKinds.ContextSwitches);
        var trace = Create(EventKinds.All & ~missing, EventDetails.Stacks | EventDetails.ManagedSamples);
        ulong[] sleep =
        [
            Code["System.Threading.Thread.Sleep"] + 0x10,
            Code["App.Program.Work"] + 0x10,
            Code["System.Threading.ThreadPoolWorkQueue.Dispatch"] + 0x10,
        ];
        ulong[] read = [Code["Interop+Sys.Read"] + 0x10, Code["App.Program.Work"] + 0x10];
        trace
            .ProfilerSample(200, Worker, isManaged: false, sleep)
            .ProfilerSample(300, Worker, isManaged: false, sleep)
            .ProfilerSample(700, Worker, isManaged: false, sleep)
            .ProfilerSample(710, Worker, isManaged: true, sleep[1..])
            .ProfilerSample(800, Worker, isManaged: false, sleep)
            .ProfilerSample(900, Worker, isManaged: false, sleep)
            .ProfilerSample(1000, Worker, isManaged: false, read) // may run
            .ProfilerSample(1500, Worker, isManaged: false, read)
            .SwitchIn(100, Worker);
        Wait(trace, 190, 705, Worker);
        Wait(trace, 790, 950, Worker);

        var waits = new EventTables(trace).Waits;
        var row = Assert.Single(waits.Rows);
        Assert.Equal(
            (WaitReason.Sleep, "App.Program.Work", true, hasSwitches ? WaitSource.Switches : WaitSource.Samples),
            (row.Reason, row.Method?.Name, row.IsPool, row.Source)
        );
        Assert.Equal((2, hasSwitches ? 0.675 : 0.6), (row.Count, Math.Round(row.Ms, 6)));
        Assert.Equal(hasSwitches ? WaitGap.Stacks : WaitGap.SwitchesExceptSleeps, waits.Gap);
    }

    [Fact]
    public void A_wait_for_a_task_that_contends_for_the_tasks_lock_is_for_the_task()
    {
        var trace = Create(EventKinds.All & ~EventKinds.ContextSwitches)
            .Contention(
                190,
                290,
                Locker,
                1,
                0,
                Code["System.Threading.Monitor.Wait"] + 0x10,
                Code["System.Threading.Tasks.Task.InternalWait"] + 0x10,
                Code["App.Program.Work"] + 0x10
            )
            .Contention(390, 490, Locker, 1, 0, Code["App.Program.Work"] + 0x10);

        var waits = new EventTables(trace).Waits;
        Assert.Equal([WaitReason.Lock, WaitReason.Task], waits.Reasons.Select(row => row.Reason).Order());
        Assert.Contains(waits.Problems, problem => problem.Contains("no context switches", StringComparison.Ordinal));
        Assert.Equal(WaitGap.Switches, waits.Gap);
    }

    [Fact]
    public void A_wait_in_a_pause_is_for_the_pause_unless_its_stack_says_otherwise()
    {
        var trace = Create().SwitchIn(100, Worker).SwitchIn(100, Locker).Pause(1000, 2000);
        Wait(trace, 1100, 2050, Worker, [Libc, Coreclr, Code["App.Program.Work"] + 0x10]);
        Wait(trace, 1100, 2050, Locker, [Libc, Code["System.Threading.Thread.Sleep"] + 0x10, Code["App.Program.Work"] + 0x10]);
        Wait(trace, 2100, 2300, Worker, [Libc, Coreclr, Code["App.Program.Work"] + 0x10]);

        Assert.Equal(
            [(WaitReason.Gc, 0.95), (WaitReason.Sleep, 0.95), (WaitReason.Runtime, 0.2)],
            new EventTables(trace)
                .WaitsBy(WaitGrouping.Reason)
                .Rows.OrderByDescending(row => row.Ms)
                .ThenByDescending(row => row.Reason)
                .Select(row => (row.Reason, Math.Round(row.Ms, 6)))
        );
    }

    [Fact]
    public void The_times_of_a_thread_add_up_to_what_its_switches_cover()
    {
        var trace = Create()
            .Named(1, Locker, "holder")
            .SwitchIn(100, Worker)
            .SwitchOutStack(299, Worker, 0, Libc, Code["System.Threading.Monitor.Enter"] + 0x10, Code["App.Cache.GetOrAdd"] + 0x10)
            .SwitchOut(300, Worker)
            .Readied(900, Worker, Locker)
            .SwitchIn(950, Worker)
            .SwitchOut(1000, Worker, preempted: true)
            .SwitchIn(1100, Worker)
            .SwitchOutStack(1199, Worker, 0, Libc, Code["System.Threading.LowLevelLifoSemaphore.WaitNative"] + 0x10)
            .SwitchOut(1200, Worker)
            .SwitchIn(1500, Worker)
            .SwitchOut(1600, Worker, preempted: true)
            .ThreadEnd(1600, Worker);

        var waits = new EventTables(trace).Waits;
        var thread = Assert.Single(waits.Threads.Rows);
        Assert.Equal(
            (0.45, 0.15, 0.6, 0.3),
            (Math.Round(thread.OnCpuMs, 6), Math.Round(thread.ReadyMs, 6), Math.Round(thread.WaitMs, 6), Math.Round(thread.IdleMs, 6))
        );
        Assert.Equal((WaitReason.Lock, "App.Cache.GetOrAdd"), (thread.Reason, thread.Method?.Name));
        Assert.Equal(("holder", (string?)null), (waits.Rows[0].ReadiedBy, waits.Rows[1].ReadiedBy));
        Assert.Equal(WaitReason.Idle, waits.Rows[^1].Reason);
        Assert.True(waits.HasPrograms);
    }

    [Fact]
    public void The_tree_of_a_threads_time_has_its_waits_below_their_stacks()
    {
        var trace = Create().Named(1, Worker, "worker").SwitchIn(100, Worker);
        ulong[] Stack(string wait) => [Kernel, Libc, Code[wait] + 0x10, Code["App.Program.Work"] + 0x10];
        trace.Sample(150, Worker, 0, Code["App.Program.Work"] + 0x10).Sample(160, Worker, 0, Code["App.Program.Work"] + 0x10);
        Wait(trace, 200, 1200, Worker, Stack("System.Threading.Monitor.Enter"), kernel: 1);
        Wait(trace, 1300, 1600, Worker, Stack("System.Threading.Monitor.Enter"), kernel: 1);
        Wait(trace, 1700, 1750, Worker);
        trace.SwitchOut(1800, Worker, preempted: true).SwitchIn(1900, Worker);
        Wait(trace, 2000, 4000, Worker, Stack("System.Threading.LowLevelLifoSemaphore.WaitNative")[..3], kernel: 1);

        var cpu = Tree(trace);

        Assert.Equal((1.35, 2.0), (Math.Round(cpu.WaitMs!.Value, 6), Math.Round(cpu.IdleMs!.Value, 6)));
        Assert.Equal(
            [("App.Program.Work", 1.3), ("System.Threading.Monitor.Enter", 1.3), ("libc.so.6+?", 1.3), ("[waiting: lock]", 1.3)],
            cpu.Tree!.SkipWhile(node => node.Name != "App.Program.Work")
                .Take(4)
                .Select(node => (node.Name, Math.Round(node.InclusiveWaitMs, 6)))
        );
        var work = cpu.Tree!.First(node => node.Name == "App.Program.Work");
        Assert.Equal(2, cpu.Tree!.Where(node => node.Name == "App.Program.Work").Sum(node => node.Samples));
        Assert.Equal(0, work.WaitMs);
        Assert.Equal(100, cpu.Tree!.Where(node => node.Depth == 0).Sum(node => node.InclusivePercent), 6);
        Assert.Equal(0.05, Assert.Single(cpu.Tree!, node => node.Name == "[waiting: unknown]").WaitMs, 6);
        Assert.DoesNotContain(cpu.Tree!, node => node.Name.Contains("kernel", StringComparison.Ordinal));
    }

    /// <summary>The stack of a preempted switch shows where the thread computed, so it does not count for a wait.</summary>
    [Fact]
    public void A_wait_whose_stack_was_omitted_counts_for_a_wait_of_its_thread_of_about_its_length()
    {
        var trace = Create().SwitchIn(100, Worker).SwitchIn(100, Locker);
        ulong[] Stack(string wait) => [Libc, Code[wait] + 0x10, Code["App.Program.Work"] + 0x10];
        void Omitted(double start, double stop, int thread) => trace.SwitchOut(start, thread, stackOmitted: true).SwitchIn(stop, thread);
        Omitted(200, 300, Worker); // before the first stack
        Wait(trace, 400, 410, Worker, Stack("System.Threading.Monitor.Enter"));
        Wait(trace, 500, 1500, Worker, Stack("System.Threading.Thread.Sleep"));
        trace
            .SwitchOutStack(1599, Worker, 0, Code["App.Program.Work"] + 0x10)
            .SwitchOut(1600, Worker, preempted: true)
            .SwitchIn(1650, Worker);
        Omitted(1700, 1720, Worker);
        Omitted(1800, 2600, Worker);
        Omitted(2700, 2705, Worker);
        Wait(trace, 2800, 2870, Worker); // lost, not omitted
        Omitted(200, 250, Locker); // stacks are those of its own thread

        var waits = new EventTables(trace).WaitsBy(WaitGrouping.Reason);
        (WaitReason, int, double)[] expected = [(WaitReason.Sleep, 2, 1.8), (WaitReason.Unknown, 3, 0.22), (WaitReason.Lock, 3, 0.035)];
        Assert.Equal(
            expected,
            waits.Rows.OrderByDescending(row => row.Ms).Select(row => (row.Reason, (int)row.Count, Math.Round(row.Ms, 6)))
        );
        Assert.Contains(
            waits.Problems,
            problem =>
                problem.EndsWith(": 3 waits without one count for a wait of their thread that was about as long", StringComparison.Ordinal)
        );
        Assert.Equal(
            expected.Select(row => ($"[waiting: {row.Item1.Name()}]", row.Item3)),
            Tree(trace)
                .Tree!.Where(node => node.Name.StartsWith("[waiting", StringComparison.Ordinal))
                .GroupBy(node => node.Name, (name, nodes) => (name, Math.Round(nodes.Sum(node => node.WaitMs), 6)))
                .OrderByDescending(pair => pair.Item2)
        );
    }

    private static CpuResult Tree(SyntheticTrace trace)
    {
        var processes = new[] { new TracedProcess(trace.ProcessId, "program", ".NET 10.0", [trace], []) };
        var query = new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null)
        {
            Tree = new CallTreeQuery(0, CallTreeQuery.Deepest, null),
            WithWaits = true,
        };
        return CpuAnalysis.Run(
            processes,
            RunAnalysis.Run(processes, []).Runs,
            query,
            new SymbolFiles("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero)
        );
    }

    [Fact]
    public void The_flame_graph_of_waits_has_the_rows_by_stack()
    {
        var trace = Create().Named(1, Worker, "worker").SwitchIn(100, Worker);
        ulong[] locking = [Kernel, Libc, Code["System.Threading.Monitor.Enter"] + 0x10, Code["App.Program.Work"] + 0x10];
        Wait(trace, 200, 1200, Worker, locking, kernel: 1);
        Wait(trace, 1300, 1600, Worker, locking, kernel: 1);
        Wait(trace, 1700, 1750, Worker, [Libc]);
        Wait(trace, 2000, 4000, Worker, [Kernel, Libc, Code["System.Threading.LowLevelLifoSemaphore.WaitNative"] + 0x10], kernel: 1);

        var waits = WaitsOf(trace, withStacks: true);
        var flames = WaitFlames.Of(waits, 1000)!;

        Assert.All(waits.Rows, row => Assert.Null(row.Stack)); // a row by method joins several stacks
        Assert.Contains(waits.Stacks, row => row.Stack is not null);
        var tree = Assert.Single(flames.Trees);
        Assert.Equal((3L, 1.35), (tree.Samples, flames.ToMilliseconds(tree.Ticks)));
        Assert.Equal(
            [
                (0, "App.Program.Work", FlameSet.Own, 2L, 0L),
                (1, "System.Threading.Monitor.Enter", FlameSet.Outside, 2L, 0L),
                (2, "[waiting: lock]", (int)WaitReason.Lock, 2L, 2L),
                (0, "[no managed frames]", FlameSet.Outside, 1L, 0L),
                (1, "libc.so.6+?", FlameSet.Outside, 1L, 0L),
                (2, "[waiting: unknown]", (int)WaitReason.Unknown, 1L, 1L),
            ],
            tree.Nodes.Select(node => (node.Depth, flames.Frames[node.Frame].Name, node.Cause, node.InclusiveSamples, node.Samples))
        );
        Assert.Equal(2, WaitFlames.Of(WaitsOf(trace, withStacks: true), 2)!.Trees[0].Nodes.Count);
        Assert.Null(WaitFlames.Of(WaitsOf(trace, withStacks: false), 1000));
    }

    [Fact]
    public void Waits_without_any_stack_have_no_flame_graph()
    {
        var trace = Create(EventKinds.All & ~(EventKinds.SwitchOutStacks | EventKinds.SwitchInStacks)).SwitchIn(100, Worker);
        Wait(trace, 200, 1200, Worker);

        Assert.Null(WaitFlames.Of(WaitsOf(trace, withStacks: true), 1000));
    }

    private static WaitResult WaitsOf(SyntheticTrace trace, bool withStacks)
    {
        var processes = new[] { new TracedProcess(trace.ProcessId, "program", ".NET 10.0", [trace], []) };
        var symbols = new SymbolReading(new SymbolFiles("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero));
        return WaitAnalysis.Run(
            processes,
            RunAnalysis.Run(processes, []).Runs,
            new EventQuery(new RunFilter(), null),
            symbols,
            WaitGrouping.Method,
            withStacks
        );
    }

    [Fact]
    public void The_last_switch_out_of_a_thread_that_has_ended_is_not_a_wait()
    {
        var trace = Create().SwitchIn(100, Worker).SwitchIn(100, Locker);
        Wait(trace, 200, 1200, Worker);
        trace.ThreadEnd(1300, Worker).SwitchOut(1301, Worker);
        Wait(trace, 2000, 2100, Locker);
        trace.SwitchIn(3000, Worker).SwitchOut(3010, Worker).SwitchIn(3110, Worker); // another thread of the same number

        Assert.Equal(
            [(Worker, 1.1), (Locker, 0.1)],
            new EventTables(trace).Waits.Threads.Rows.Select(row => ((int)row.ThreadId, Math.Round(row.WaitMs, 6)))
        );
    }

    [Fact]
    public void Threads_of_a_marked_benchmark_other_than_the_measuring_one_do_not_count()
    {
        var trace = new SyntheticTrace().Run(1, 1000, 3000).SwitchIn(500, SyntheticTrace.Main).SwitchIn(500, Worker);
        Wait(trace, 1100, 1300, SyntheticTrace.Main);
        Wait(trace, 1100, 2900, Worker);

        var waits = new EventTables(trace).Waits;
        Assert.Equal(0.2, Assert.Single(waits.Rows).Ms, 6);
        Assert.Equal(SyntheticTrace.Main, Assert.Single(waits.Threads.Rows).ThreadId);
        Assert.False(waits.HasPrograms);
    }
}
