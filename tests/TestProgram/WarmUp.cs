using System.Runtime;

/// <summary>Runs code until the JIT has compiled its final code.</summary>
internal static class WarmUp
{
    /// <summary>Maximum number of rounds.</summary>
    private const int MaxRounds = 30;

    /// <summary>
    /// Hot methods are recompiled twice in the background, some 100 ms later: runs until nothing was compiled for three rounds.
    /// </summary>
    public static void UntilTheJitRests(Action round)
    {
        var quiet = 0;
        for (var number = 0; number < MaxRounds && quiet < 3; number++)
        {
            var before = JitInfo.GetCompiledMethodCount();
            round();
            Thread.Sleep(150);
            quiet = JitInfo.GetCompiledMethodCount() == before ? quiet + 1 : 0;
        }
    }
}
