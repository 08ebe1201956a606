using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// Calls of a small graph between settling runs. The runtime compiles a method for its next tier after 30 calls, and a run calls the methods at the top of a serializer once: their loop over the
/// objects stayed in the code that on-stack replacement had made, and a process took up to 1.8 times as long as the next for all of its runs.
/// </summary>
/// <param name="series">The settling runs.</param>
/// <param name="streamKind">Where the data goes and comes from.</param>
public sealed class SettlingCalls(PlannedSeries series, StreamKind streamKind) : IDisposable
{
    /// <summary>More than the 30 calls of <c>TC_CallCountThreshold</c>.</summary>
    private const int Calls = 40;

    /// <summary>Objects of the graph: its methods are called often enough, and the calls take some ms.</summary>
    private const int MaxObjects = 100;

    private SeriesWorkload? _workload;

    /// <summary>The same series with the small graph.</summary>
    public static PlannedSeries Small(PlannedSeries series)
    {
        ArgumentNullException.ThrowIfNull(series);
        return series with { ObjectCount = Math.Min(series.ObjectCount, MaxObjects) };
    }

    /// <summary>Makes the calls.</summary>
    /// <exception cref="RunFailedException">The serializer threw.</exception>
    public void Make()
    {
        try
        {
            _workload ??= new SeriesWorkload(Small(series), streamKind);
            for (var call = 0; call < Calls; call++)
            {
                _workload.Reset();
                _workload.Operation();
            }
        }
#pragma warning disable CA1031 // whatever a serializer throws is the result
        catch (Exception exception)
#pragma warning restore CA1031
        {
            throw new RunFailedException(FirstLine.Of(exception));
        }
    }

    /// <summary>Closes the streams.</summary>
    public void Dispose() => _workload?.Dispose();
}
