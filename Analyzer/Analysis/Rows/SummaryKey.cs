using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Rows;

/// <summary>What the runs of one row have in common.</summary>
/// <param name="Serializer">Serializer or program.</param>
/// <param name="Operation">Operation.</param>
/// <param name="Kind">Measured, warm-up or first call.</param>
/// <param name="ObjectCount">Objects in the graph, 0 when it does not apply.</param>
/// <param name="PayloadBytes">Extra bytes in each object.</param>
/// <param name="ThreadCount">Threads that run the operation at the same time.</param>
public readonly record struct SummaryKey(string Serializer, string Operation, RunKind Kind, int ObjectCount, int PayloadBytes, int ThreadCount)
{
    /// <summary>Runtime where a result has runs on several (<see cref="Run.Runtime"/>), empty where it has one.</summary>
    public string Runtime { get; init; } = "";

    /// <summary>The key of a run.</summary>
    public static SummaryKey Of(Run run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return Of(run.Identity) with { Runtime = run.IsOneOfSeveralRuntimes ? run.Runtime : "" };
    }

    /// <summary>The key of a run on the only runtime.</summary>
    public static SummaryKey Of(RunIdentity identity)
    {
        ArgumentNullException.ThrowIfNull(identity);
        return new SummaryKey(identity.Serializer, identity.Operation, identity.Kind, identity.ObjectCount, identity.PayloadBytes, identity.ThreadCount);
    }

    /// <summary>Operation with payload and threads where they are not the usual: <c>Serialize +100 B x4</c>.</summary>
    public string Test =>
        Operation + (PayloadBytes > 0 ? $" +{PayloadBytes} B" : "") + (ThreadCount > 1 ? $" x{ThreadCount}" : "");

    /// <summary>The row in words.</summary>
    public override string ToString() => $"{Serializer} {Test}" + (ObjectCount > 0 ? $" N={ObjectCount}" : "") + (Kind == RunKind.Measured ? "" : $" ({Kind})") + (Runtime.Length > 0 ? $" on {Runtime}" : "");
}
