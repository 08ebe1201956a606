using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Which runs count. Runs that failed never do.</summary>
public sealed record RunFilter
{
    /// <summary>Name of the serializer or program, null for all.</summary>
    public string? Serializer { get; init; }

    /// <summary>Operation (<c>Serialize</c>), or test with its payload and threads as tables show it; null for all.</summary>
    public string? Test { get; init; }

    /// <summary>Number of the run in its process, null for all.</summary>
    public int? RunId { get; init; }

    /// <summary>Runtime: the label of a recording, or the runtime's version; null for all.</summary>
    public string? Runtime { get; init; }

    /// <summary>Whether warm-ups and first calls count, too.</summary>
    public bool AllKinds { get; init; }

    /// <summary>Whether a run counts; upper and lower case are the same.</summary>
    public bool Matches(Run run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return run.Error.Length == 0
            && (AllKinds || run.Identity.Kind == RunKind.Measured)
            && (Runtime is null || run.Runtime.Equals(Runtime, StringComparison.OrdinalIgnoreCase))
            && (RunId is null || run.RunId == RunId)
            && (Serializer is null || run.Identity.Serializer.Equals(Serializer, StringComparison.OrdinalIgnoreCase))
            && (Test is null || run.Identity.Operation.Equals(Test, StringComparison.OrdinalIgnoreCase) || SummaryKey.Of(run.Identity).Test.Equals(Test, StringComparison.OrdinalIgnoreCase));
    }
}
