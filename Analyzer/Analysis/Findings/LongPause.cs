using EtwSerializerProfiler.Analysis.Gc;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>A GC of generation 1 or 2 that the program did not induce and that paused it for long, with the GC's CPU samples.</summary>
/// <param name="Gc">The GC.</param>
/// <param name="Samples">CPU samples of the GC's threads in its pause; null when CPU samples were not recorded.</param>
/// <param name="Methods">Their methods, most inclusive samples first; empty without samples.</param>
public sealed record LongPause(GcRow Gc, long? Samples, IReadOnlyList<LongPauseMethod> Methods)
{
    /// <summary>Minimum length of a long pause, in ms.</summary>
    public const double MinMs = 1000;

    /// <summary>Whether a GC had a long pause.</summary>
    public static bool IsLong(GcRow gc)
    {
        ArgumentNullException.ThrowIfNull(gc);
        return gc is { Generation: >= 1, IsInduced: false, PauseMs: > MinMs };
    }
}

/// <summary>A function in the samples of a long pause.</summary>
/// <param name="Name">Its name: <c>WKS::gc_heap::plan_phase</c>; module+? when its module has no symbols.</param>
/// <param name="Module">Its module.</param>
/// <param name="Samples">Exclusive samples.</param>
/// <param name="InclusiveSamples">Inclusive samples.</param>
public sealed record LongPauseMethod(string Name, string Module, long Samples, long InclusiveSamples);
