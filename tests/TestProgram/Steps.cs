using System.Diagnostics;

/// <summary>
/// Does the same work again and again until its input ends, and prints when each step started and how long it took, in ns by Stopwatch. So
/// what is switched on and off meanwhile shows its cost in one process.
/// </summary>
internal static class Steps
{
    /// <summary>Steps that compile and tier up before the first line.</summary>
    private const int Rehearsed = 20;

    public static int Run(string work)
    {
        Action step = work switch
        {
            "compute" => () => Storms.Compute(1_600_000),
            "parse" => JsonParser.Step(4),
            "turns" => Turns(200),
            "exceptions" => () => Thrower.Storm(500),
            "methods" => () => Storms.Methods(20),
            _ => throw new ArgumentException($"no work '{work}'"),
        };
        if (work != "methods")
            WarmUp.UntilTheJitRests(() => Repeat(step));
        var ended = Task.Run(Console.In.ReadToEnd);
        while (!ended.IsCompleted)
        {
            var start = Stopwatch.GetTimestamp();
            step();
            var took = Stopwatch.GetElapsedTime(start).TotalNanoseconds;
            Console.WriteLine(FormattableString.Invariant($"{start} {took:0}"));
        }

        return 0;
    }

    private static void Repeat(Action step)
    {
        for (var number = 0; number < Rehearsed; number++)
            step();
    }

    /// <summary>Starts a thread, and returns a step in which it and the calling thread hand each other the turn.</summary>
    private static Action Turns(int count)
    {
        var mine = new AutoResetEvent(false);
        var others = new AutoResetEvent(false);
        new Thread(() =>
        {
            while (true)
            {
                others.WaitOne();
                mine.Set();
            }
        })
        {
            IsBackground = true,
        }.Start();
        return () =>
        {
            for (var turn = 0; turn < count; turn++)
            {
                others.Set();
                mine.WaitOne();
            }
        };
    }
}
