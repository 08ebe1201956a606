using System.Runtime.CompilerServices;
#if NET
using System.Runtime;
#endif

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Detects when the JIT has no more work, by the number of methods compiled on any thread of the process.</summary>
public sealed class JitActivity
{
    /// <summary>
    /// Number of consecutive checks that count as rest. Between two tiers there is a pause without compilation: before it counts calls, the
    /// runtime waits for 100 ms in which no method is called for the first time, and starts again when one is. With two checks, 7 of 30
    /// processes of System.Text.Json ended their settling in that pause and took 3.6 times as long as the others.
    /// </summary>
#if NET
    private const int QuietChecks = 6;
#else
    private const int QuietChecks = 2; // no tiers
#endif

    /// <summary>For the loop that settles: compiling its methods for their next tiers would look like work of the serializer.</summary>
#if NET
    internal const MethodImplOptions WithoutTiers = MethodImplOptions.AggressiveOptimization;
#else
    internal const MethodImplOptions WithoutTiers = default;
#endif

    /// <summary>Maximum number of methods compiled during rest: the platform's methods that the loop calls once a round.</summary>
    private const int MaxMethodsAtRest = 3;

    /// <summary>Number of compiled methods at each of the last checks: at the start, then at check n in place n % length.</summary>
    private readonly long[] _compiled = new long[QuietChecks + 1];

    private int _checks;

    /// <summary>Begins to count.</summary>
    public JitActivity() => _compiled[0] = CompiledMethods();

    /// <summary>Number of methods compiled during the last checks; 0 at rest.</summary>
    public long Unsettled { get; private set; }

    /// <summary>Whether almost nothing was compiled during the last checks. Call it once per round of work and pause.</summary>
    [MethodImpl(WithoutTiers)]
    public bool HasComeToRest()
    {
        _checks++;
        var compiled = CompiledMethods();
        Unsettled = compiled - _compiled[_checks < _compiled.Length ? 0 : (_checks + 1) % _compiled.Length];
        _compiled[_checks % _compiled.Length] = compiled;
        if (_checks < QuietChecks || Unsettled > MaxMethodsAtRest)
            return false;
        Unsettled = 0;
        return true;
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
