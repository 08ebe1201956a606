using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Rows;

/// <summary>Key of a row: what its runs have in common.</summary>
/// <param name="Serializer">Serializer or program.</param>
/// <param name="Operation">Operation.</param>
/// <param name="Kind">Measured, warm-up or first call.</param>
/// <param name="ObjectCount">Number of objects in the graph; 0 when not applicable.</param>
/// <param name="PayloadBytes">Extra bytes in each object.</param>
/// <param name="ThreadCount">Number of threads that run the operation simultaneously.</param>
public readonly record struct SummaryKey(
    string Serializer,
    string Operation,
    RunKind Kind,
    int ObjectCount,
    int PayloadBytes,
    int ThreadCount
)
{
    /// <summary>Runtime (<see cref="Run.Runtime"/>) if the result has several, else empty.</summary>
    public string Runtime { get; init; } = "";

    /// <summary>Creates the key of a run.</summary>
    public static SummaryKey Of(Run run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return Of(run.Identity) with { Runtime = run.IsOneOfSeveralRuntimes ? run.Runtime : "" };
    }

    /// <summary>Creates the key of a run on the only runtime.</summary>
    public static SummaryKey Of(RunIdentity identity)
    {
        ArgumentNullException.ThrowIfNull(identity);
        return new SummaryKey(
            identity.Serializer,
            identity.Operation,
            identity.Kind,
            identity.ObjectCount,
            identity.PayloadBytes,
            identity.ThreadCount
        );
    }

    /// <summary>Operation with payload and threads, if unusual: <c>Serialize +100 B x4</c>.</summary>
    public string Test => Operation + (PayloadBytes > 0 ? $" +{PayloadBytes} B" : "") + (ThreadCount > 1 ? $" x{ThreadCount}" : "");

    /// <summary>The key as text.</summary>
    public override string ToString() =>
        $"{Serializer} {Test}"
        + (ObjectCount > 0 ? $" N={ObjectCount}" : "")
        + (Kind == RunKind.Measured ? "" : $" ({Kind})")
        + (Runtime.Length > 0 ? $" on {Runtime}" : "");
}
