using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// A reader of events in runs, besides their costs. It takes part in the passes of <see cref="RunAnalysis"/>, so that files are not read
/// once more.
/// </summary>
public interface IRunReader
{
    /// <summary>Requests to answer before the runs are known: code, layout.</summary>
    IEnumerable<TraceRequest> Prepare(IReadOnlyList<TracedProcess> processes);

    /// <summary>
    /// Called when the runs are known, but not their costs (those values are null or 0). Returns the requests for their events.
    /// </summary>
    IEnumerable<TraceRequest> Begin(IReadOnlyList<Run> runs);
}

/// <summary>Combines several readers in the same passes.</summary>
/// <param name="readers">The readers.</param>
public sealed class RunReaders(IReadOnlyList<IRunReader> readers) : IRunReader
{
    /// <inheritdoc />
    public IEnumerable<TraceRequest> Prepare(IReadOnlyList<TracedProcess> processes) =>
        [.. readers.SelectMany(reader => reader.Prepare(processes))];

    /// <inheritdoc />
    public IEnumerable<TraceRequest> Begin(IReadOnlyList<Run> runs) => [.. readers.SelectMany(reader => reader.Begin(runs))];
}
