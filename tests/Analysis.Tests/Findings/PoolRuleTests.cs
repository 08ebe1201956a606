using EtwSerializerProfiler.Analysis.Findings.Rules;
using EtwSerializerProfiler.Analysis.Tests.Waits;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

/// <summary>Work items that wait, in made-up programs of 5 ms.</summary>
public sealed class PoolRuleTests
{
    private const string Pool = "System.Threading.ThreadPoolWorkQueue.Dispatch";

    [Theory]
    [InlineData(
        "System.Threading.Tasks.Task.InternalWait",
        "sync-over-async",
        "thread-pool threads wait for tasks: program Run (1 ms of 1 thread in App.Program.Main); await the task"
    )]
    [InlineData(
        "System.Threading.Thread.Sleep",
        "pool-sleep",
        "thread-pool threads sleep: program Run (1 ms of 1 thread in App.Program.Main); await Task.Delay"
    )]
    public void Work_items_that_wait_are_named_with_the_method_of_the_source(string wait, string code, string text)
    {
        var trace = Workers(1);
        WaitingProgram.Wait(trace, 1000, 2000, 1, Stack(wait, "App.Program+<Main>d__0.MoveNext", Pool));

        var finding = Assert.Single(Rules.Check(new PoolWaitRule(), trace));
        Assert.Equal(code, finding.Code);
        Assert.StartsWith(text, finding.Text, StringComparison.Ordinal);
        Assert.Equal(1.0, finding.Evidence[0].Value, 6);
        Assert.Equal(1.0, Assert.Single(finding.Locations).StartMs, 2);
    }

    [Fact]
    public void Short_waits_waits_for_locks_and_waits_of_other_threads_are_fine()
    {
        var trace = Workers(2).Named(1, 2, "mine");
        WaitingProgram.Wait(trace, 1000, 1200, 1, Stack("System.Threading.Thread.Sleep", "App.Program.Work", Pool));
        WaitingProgram.Wait(trace, 1300, 3000, 1, Stack("System.Threading.Monitor.Enter", "App.Program.Work", Pool));
        WaitingProgram.Wait(
            trace,
            1000,
            3000,
            2,
            Stack("System.Threading.Thread.Sleep", "App.Program.Work", "System.Threading.Thread.StartCallback")
        );

        Assert.Empty(Rules.Check(new PoolWaitRule(), trace));
    }

    [Theory]
    [InlineData(2, true, true)]
    [InlineData(2, false, false)] // the pool had no work
    [InlineData(4, true, false)] // the pool may have as many workers without delay
    public void Workers_that_are_added_while_all_others_wait_are_starvation(int processors, bool isAdded, bool isFound)
    {
        var trace = Workers(2);
        foreach (var worker in (int[])[1, 2])
            WaitingProgram.Wait(trace, 1000, 3200, worker, Stack("System.Threading.Tasks.Task.InternalWait", "App.Program.Work", Pool));
        if (isAdded)
            WaitingProgram.Wait(
                trace.Named(1, 3, ".NET TP Worker").SwitchIn(2000, 3),
                2100,
                3200,
                3,
                Stack("System.Threading.Tasks.Task.InternalWait", "App.Program.Work", Pool)
            );

        var findings = Rules.Check(new PoolStarvationRule(), trace, processors);
        Assert.Equal(isFound, findings.Count == 1);
        if (!isFound)
            return;
        Assert.StartsWith(
            "work waits for thread-pool threads: program Run (all workers blocked for 2 ms, mostly for task in App.Program.Work; 1 of 3 were added meanwhile); ",
            findings[0].Text,
            StringComparison.Ordinal
        );
        Assert.Equal([2.1, 1, 3], findings[0].Evidence.Select(figure => Math.Round(figure.Value, 6)));
        Assert.Equal(1.1, findings[0].Locations[0].StopMs - findings[0].Locations[0].StartMs, 6);
    }

    [Fact]
    public void A_worker_without_work_is_none_that_is_missing()
    {
        var trace = Workers(3);
        foreach (var worker in (int[])[1, 2])
            WaitingProgram.Wait(trace, 1000, 3200, worker, Stack("System.Threading.Tasks.Task.InternalWait", "App.Program.Work", Pool));
        WaitingProgram.Wait(trace, 1000, 3200, 3, Stack("System.Threading.LowLevelLifoSemaphore.WaitNative"));
        trace.Named(1, 4, ".NET TP Worker").SwitchIn(2000, 4);

        Assert.Empty(Rules.Check(new PoolStarvationRule(), trace, 2));
    }

    private static SyntheticTrace Workers(int count)
    {
        var trace = WaitingProgram.Create();
        for (var worker = 1; worker <= count; worker++)
            trace.Named(1, worker, ".NET TP Worker").SwitchIn(100, worker);
        return trace;
    }

    private static ulong[] Stack(params string[] frames) =>
        [WaitingProgram.Libc, .. frames.Select(frame => WaitingProgram.Code[frame] + 0x10)];
}
