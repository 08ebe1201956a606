using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// Something that hears events of the runs besides what they cost. It takes part in the passes of <see cref="RunAnalysis"/>, so that no file is read once more
/// for it.
/// </summary>
public interface IRunReader
{
    /// <summary>What it has to hear before the runs are known: code, layout.</summary>
    IEnumerable<TraceRequest> Prepare(IReadOnlyList<TracedProcess> processes);

    /// <summary>The runs are known, but not what they cost (those values are null or 0): what it has to hear of them.</summary>
    IEnumerable<TraceRequest> Begin(IReadOnlyList<Run> runs);
}

/// <summary>Several readers as one: they hear the same passes.</summary>
/// <param name="readers">The readers.</param>
public sealed class RunReaders(IReadOnlyList<IRunReader> readers) : IRunReader
{
    /// <inheritdoc />
    public IEnumerable<TraceRequest> Prepare(IReadOnlyList<TracedProcess> processes) => [.. readers.SelectMany(reader => reader.Prepare(processes))];

    /// <inheritdoc />
    public IEnumerable<TraceRequest> Begin(IReadOnlyList<Run> runs) => [.. readers.SelectMany(reader => reader.Begin(runs))];
}
