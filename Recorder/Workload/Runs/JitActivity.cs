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

    /// <summary>Maximum number of methods compiled during rest: the loop that settles reaches its own tiers later than what it calls.</summary>
    private const int MaxMethodsAtRest = 3;

    /// <summary>Number of compiled methods at each of the last checks.</summary>
    private readonly Queue<long> _compiled = new([CompiledMethods()]);

    /// <summary>Number of methods compiled during the last checks; 0 at rest.</summary>
    public long Unsettled { get; private set; }

    /// <summary>Whether almost nothing was compiled during the last checks. Call it once per round of work and pause.</summary>
    public bool HasComeToRest()
    {
        var compiled = CompiledMethods();
        _compiled.Enqueue(compiled);
        Unsettled = compiled - _compiled.Peek();
        if (_compiled.Count <= QuietChecks)
            return false;
        _compiled.Dequeue();
        if (Unsettled > MaxMethodsAtRest)
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
