using EtwSerializerProfiler.Analysis.Gc;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>A collection of generation 1 or 2 that nobody asked for and that kept the program waiting long, and what the collector did meanwhile.</summary>
/// <param name="Collection">The collection.</param>
/// <param name="Samples">CPU samples of the collector's threads in its pause; null when CPU samples were not recorded.</param>
/// <param name="Methods">Their methods, the most inclusive samples first; none without samples.</param>
public sealed record LongPause(GcRow Collection, long? Samples, IReadOnlyList<LongPauseMethod> Methods)
{
    /// <summary>From this length on a pause is long, in ms.</summary>
    public const double LeastMs = 1000;

    /// <summary>Whether a collection is one.</summary>
    public static bool IsLong(GcRow collection)
    {
        ArgumentNullException.ThrowIfNull(collection);
        return collection is { Generation: >= 1, IsInduced: false, PauseMs: > LeastMs };
    }
}

/// <summary>A function in the samples of a long pause.</summary>
/// <param name="Name">Its name: <c>WKS::gc_heap::plan_phase</c>; module+? when its module has no names.</param>
/// <param name="Module">Its module.</param>
/// <param name="Samples">Samples that hit it.</param>
/// <param name="InclusiveSamples">Samples that hit it or what it called.</param>
public sealed record LongPauseMethod(string Name, string Module, long Samples, long InclusiveSamples);
