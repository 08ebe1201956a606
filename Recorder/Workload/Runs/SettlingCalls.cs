using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// Calls with a small graph between settling runs. The runtime compiles a method for its next tier after 30 calls, but a run calls the top
/// methods of a serializer only once. Their loop over the objects then stayed in the code of on-stack replacement, and one process took up
/// to 1.8 times as long as the next for all of its runs.
/// </summary>
/// <param name="series">The settling runs.</param>
/// <param name="streamKind">Target and source of serialized data.</param>
public sealed class SettlingCalls(PlannedSeries series, StreamKind streamKind) : IDisposable
{
    /// <summary>More than the 30 calls of <c>TC_CallCountThreshold</c>.</summary>
    private const int Calls = 40;

    /// <summary>Objects of the graph: enough calls of its methods within a few ms.</summary>
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
#pragma warning disable CA1031 // any exception of a serializer is the result
        catch (Exception exception)
#pragma warning restore CA1031
        {
            throw new RunFailedException(FirstLine.Of(exception));
        }
    }

    /// <summary>Closes the streams.</summary>
    public void Dispose() => _workload?.Dispose();
}
