using System.Runtime.ExceptionServices;
using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>A series that is ready to run. One that cannot be prepared has runs that fail, so that the reason is recorded.</summary>
public sealed class PreparedSeries : IDisposable
{
    private readonly SeriesWorkload? _workload;

    /// <summary>Prepares a series.</summary>
    /// <param name="series">The series.</param>
    /// <param name="streamKind">Where the data goes and comes from.</param>
    public PreparedSeries(PlannedSeries series, StreamKind streamKind)
    {
        ArgumentNullException.ThrowIfNull(series);
        try
        {
            _workload = new SeriesWorkload(series, streamKind);
            Operation = _workload.Operation;
        }
#pragma warning disable CA1031 // what keeps a run from being prepared is recorded as the run's error
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

    /// <summary>What a run does; returns the size of the data in bytes. <see cref="Reset"/> comes before each call.</summary>
    public Func<long> Operation { get; }

    /// <summary>Puts the streams back to where the operation starts.</summary>
    public void Reset() => _workload?.Reset();

    /// <summary>Ends the threads and closes the streams.</summary>
    public void Dispose() => _workload?.Dispose();
}
