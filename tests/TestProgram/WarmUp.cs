using System.Runtime;

/// <summary>Runs code until the JIT has made its final code.</summary>
internal static class WarmUp
{
    /// <summary>More rounds are not made.</summary>
    private const int MaxRounds = 30;

    /// <summary>Hot methods are compiled again in the background, some 100 ms later, twice: until nothing new was compiled for three rounds.</summary>
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
