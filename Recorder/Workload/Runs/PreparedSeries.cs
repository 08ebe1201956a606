using System.Runtime.ExceptionServices;
using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// A series that is ready to run. If its preparation fails, its runs fail with that error, so that the reason is recorded.
/// </summary>
public sealed class PreparedSeries : IDisposable
{
    private readonly SeriesWorkload? _workload;

    /// <summary>Prepares a series.</summary>
    /// <param name="series">The series.</param>
    /// <param name="streamKind">Target and source of serialized data.</param>
    public PreparedSeries(PlannedSeries series, StreamKind streamKind)
    {
        ArgumentNullException.ThrowIfNull(series);
        try
        {
            _workload = new SeriesWorkload(series, streamKind);
            Operation = _workload.Operation;
        }
#pragma warning disable CA1031 // a failed preparation is recorded as the run's error
        catch (Exception exception)
#pragma warning restore CA1031
        {
            var failure = ExceptionDispatchInfo.Capture(exception);
            Operation = () =>
            {
                failure.Throw();
                return -1;
            };
        }
    }

    /// <summary>The operation of a run; returns the size of the data in bytes. Call <see cref="Reset"/> before each call.</summary>
    public Func<long> Operation { get; }

    /// <summary>Resets the streams to the start of the operation.</summary>
    public void Reset() => _workload?.Reset();

    /// <summary>Ends the threads and closes the streams.</summary>
    public void Dispose() => _workload?.Dispose();
}
