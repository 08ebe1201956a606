using System.Diagnostics;
using System.Runtime.CompilerServices;

/// <summary>
/// Chains of async methods whose last one computes after an await. Prints the CPU time of each by its thread's clock. Each chain has
/// methods of its own, so that a wrong caller shows.
/// </summary>
internal static class AsyncChains
{
    private const long SpinNs = 20_000_000;

    /// <summary>Runs the chains <paramref name="rounds"/> times.</summary>
    public static async Task Run(int rounds)
    {
        for (var round = 0; round < rounds; round++)
        {
            await OuterA();
            await Task.WhenAll(FirstA(), SecondA());
            await ValueA();
            await IteratorA();
            await TwiceA();
            await AllA();
            await AnyA();
            await DoneA();
        }

        foreach (var (name, ticks) in s_spent.OrderBy(pair => pair.Key, StringComparer.Ordinal))
            Console.WriteLine(FormattableString.Invariant($"{name} {ticks / 1e6:0.000000}"));
    }

    private static readonly Dictionary<string, long> s_spent = [];

    // A awaits B, which awaits C
    private static async Task OuterA() => await OuterB();

    private static async Task OuterB()
    {
        await OuterC();
    }

    private static async Task OuterC()
    {
        await Task.Yield();
        Burn("plain");
    }

    // Two callers at the same time of the same method
    private static async Task FirstA() => await Shared("first").ConfigureAwait(false);

    private static async Task SecondA() => await Shared("second").ConfigureAwait(false);

    private static async Task Shared(string name)
    {
        await Task.Yield(); // a delay may be over before it is awaited, and then the caller is on the stack
        if (name == "first")
            BurnFirst();
        else
            BurnSecond();
    }

    // ValueTask of an async method
    private static async Task ValueA() => await ValueB();

    private static async ValueTask ValueB()
    {
        await Task.Yield();
        Burn("value");
    }

    // An async iterator has no task: its consumer's await goes through IValueTaskSource
    private static async Task IteratorA()
    {
        await foreach (var _ in IteratorB()) { }
    }

    private static async IAsyncEnumerable<int> IteratorB()
    {
        await Task.Yield();
        Burn("iterator");
        yield return 1;
    }

    // One task that two methods await has no single caller
    private static async Task TwiceA()
    {
        var task = TwiceC();
        await Task.WhenAll(TwiceB1(task), TwiceB2(task));
    }

    private static async Task TwiceB1(Task task) => await task;

    private static async Task TwiceB2(Task task) => await task;

    private static async Task TwiceC()
    {
        await Task.Delay(20);
        Burn("twice");
    }

    // WhenAll inside WhenAll
    private static async Task AllA() => await Task.WhenAll(Task.WhenAll(AllB(), Task.FromResult(0)), Task.Delay(1));

    private static async Task<int> AllB()
    {
        await Task.Yield();
        Burn("all");
        return 0;
    }

    // WhenAny counts the first completion only
    private static async Task AnyA()
    {
        var never = new TaskCompletionSource<int>().Task;
        await await Task.WhenAny(AnyB("any"), never);
        await await Task.WhenAny(AnyB("any"), never, never); // has a task of another type
    }

    private static async Task<int> AnyB(string name)
    {
        await Task.Yield();
        Burn(name);
        return 0;
    }

    // WhenAll counts a task that has completed before, where another method continues
    private static async Task DoneA()
    {
        var done = new TaskCompletionSource();
        var task = DoneB(done);
        await DoneD(done.Task, task);
    }

    private static async Task DoneB(TaskCompletionSource done)
    {
        await Task.Yield();
        Burn("done");
        done.SetResult();
    }

    private static async Task DoneD(Task done, Task task)
    {
        await done;
        await Task.Yield();
        while (!task.IsCompleted)
            await Task.Yield();
        await Task.WhenAll(task, Task.Delay(1));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void BurnFirst() => Burn("first");

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void BurnSecond() => Burn("second");

    private static void Burn(string name)
    {
        var start = ThreadClock.Now();
        ThreadClock.Spin(SpinNs);
        var spent = ThreadClock.Now() - start;
        lock (s_spent)
            s_spent[name] = s_spent.GetValueOrDefault(name) + spent;
    }

    /// <summary>Awaits <paramref name="count"/> chains of three methods; returns ns for each.</summary>
    public static async Task<long> Storm(int count)
    {
        for (var i = 0; i < 2_000; i++)
            await StormA();
        var start = Stopwatch.GetTimestamp();
        for (var i = 0; i < count; i++)
            await StormA();
        return Stopwatch.GetElapsedTime(start).Ticks * 100 / count;
    }

    private static async Task<int> StormA() => await StormB() + 1;

    private static async Task<int> StormB() => await StormC().ConfigureAwait(false) + 1;

    private static async Task<int> StormC()
    {
        await Task.Yield();
        return 1;
    }
}
