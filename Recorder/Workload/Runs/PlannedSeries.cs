using System.Globalization;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// Runs of one serializer, operation, object count and thread count: warm-ups first, then the runs whose median is reported.
/// </summary>
/// <param name="Serializer">The serializer.</param>
/// <param name="Operation">One of <see cref="RunOperation"/>.</param>
/// <param name="Kind">
/// Kind of the reported runs: measured, or first call (each in a separate process); warm-up for a series that only settles the code.
/// </param>
/// <param name="ObjectCount">Objects in the graph.</param>
/// <param name="PayloadBytes">Extra bytes in each object.</param>
/// <param name="WarmUps">Number of runs of kind <see cref="RunKind.WarmUp"/> before the reported ones.</param>
/// <param name="Runs">Number of reported runs.</param>
public sealed record PlannedSeries(
    SerializerDescription Serializer,
    string Operation,
    RunKind Kind,
    int ObjectCount,
    int PayloadBytes,
    int WarmUps,
    int Runs
)
{
    /// <summary>Number of threads that run the operation at the same time.</summary>
    public int ThreadCount { get; init; } = 1;

    /// <summary>The operation, with the number of threads if it is not 1: <c>Serialize x4</c>.</summary>
    public string Test => ThreadCount > 1 ? Operation + " x" + ThreadCount.ToString(CultureInfo.InvariantCulture) : Operation;

    /// <summary>All runs of the series in order.</summary>
    public IEnumerable<RunIdentity> Identities()
    {
        for (var run = 1; run <= WarmUps; run++)
            yield return Identity(RunKind.WarmUp, run);
        for (var run = 1; run <= Runs; run++)
            yield return Identity(Kind, run);
    }

    /// <summary>An additional reported run, made because a planned one did not count.</summary>
    /// <param name="runNumber">Its number among the reported ones.</param>
    public RunIdentity Repetition(int runNumber) => Identity(Kind, runNumber);

    private RunIdentity Identity(RunKind kind, int runNumber) =>
        new(
            Serializer.Name,
            Serializer.Library,
            Serializer.LibraryVersion,
            Operation,
            kind,
            ObjectCount,
            PayloadBytes,
            runNumber,
            ThreadCount
        );
}
