using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// Calls of an operation without marks and clock. The runtime compiles a method for its next tier after 30 calls, but a run calls the top
/// methods of a serializer only once. Without calls of a small graph, their loop over the objects stayed in the code of on-stack
/// replacement, and one process took up to 1.8 times as long as the next.
/// </summary>
/// <param name="series">The series whose operation is called.</param>
/// <param name="streamKind">Target and source of serialized data.</param>
/// <param name="calls">Number of calls at a time.</param>
public sealed class SettlingCalls(PlannedSeries series, StreamKind streamKind, int calls) : IDisposable
{
    /// <summary>More than the 30 calls of <c>TC_CallCountThreshold</c>.</summary>
    private const int SmallCalls = 35;

    /// <summary>Objects of the small graph: enough calls of its methods within a few ms.</summary>
    private const int MaxSmallObjects = 20;

    /// <summary>Prepared by the first call.</summary>
    private SeriesWorkload? _workload;

    /// <summary>The calls that a tier takes, with a small graph.</summary>
    public static SettlingCalls OfSmallGraph(PlannedSeries series, StreamKind streamKind) => new(Small(series), streamKind, SmallCalls);

    /// <summary>The same series with the small graph.</summary>
    public static PlannedSeries Small(PlannedSeries series)
    {
        ArgumentNullException.ThrowIfNull(series);
        return series with { ObjectCount = Math.Min(series.ObjectCount, MaxSmallObjects) };
    }

    /// <summary>Calls the operation the given number of times.</summary>
    /// <exception cref="RunFailedException">The serializer threw.</exception>
    [MethodImpl(JitActivity.WithoutTiers)]
    public void Make()
    {
        try
        {
            _workload ??= new SeriesWorkload(series, streamKind);
            for (var call = 0; call < calls; call++)
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
