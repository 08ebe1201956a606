#if NET
using System.Runtime;
#endif

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Detects when the JIT has no more work, by the number of methods compiled on any thread of the process.</summary>
public sealed class JitActivity
{
    /// <summary>
    /// Consecutive checks without a new method that count as rest. Between two tiers there is a pause without compilation: before it counts
    /// calls, the runtime waits for 100 ms in which no method is called for the first time, and starts again when one is. With two checks,
    /// 7 of 30 processes of System.Text.Json ended their settling in that pause and took 3.6 times as long as the others.
    /// </summary>
#if NET
    private const int QuietChecks = 5;
#else
    private const int QuietChecks = 2; // no tiers
#endif

    private long _compiled = CompiledMethods();
    private int _quiet;

    /// <summary>Whether nothing was compiled since the previous checks. Call it once per round of work and pause.</summary>
    public bool HasComeToRest()
    {
        var compiled = CompiledMethods();
        _quiet = compiled == _compiled ? _quiet + 1 : 0;
        _compiled = compiled;
        return _quiet >= QuietChecks;
    }

    /// <summary>
    /// .NET Framework and Mono do not provide the number, but compile each method only once: there the JIT rests after the first rounds.
    /// </summary>
    private static long CompiledMethods() =>
#if NET
        JitInfo.GetCompiledMethodCount();
#else
        0;
#endif
}
