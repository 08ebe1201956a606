using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>Several readers as one: they hear the same passes.</summary>
/// <param name="readers">The readers.</param>
public sealed class RunReaders(IReadOnlyList<IRunReader> readers) : IRunReader
{
    /// <inheritdoc />
    public IEnumerable<TraceRequest> Prepare(IReadOnlyList<TracedProcess> processes) => [.. readers.SelectMany(reader => reader.Prepare(processes))];

    /// <inheritdoc />
    public IEnumerable<TraceRequest> Begin(IReadOnlyList<Run> runs) => [.. readers.SelectMany(reader => reader.Begin(runs))];
}
