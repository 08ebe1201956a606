using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// The operation that the runs of one series make under the clock. With several threads, each has its own graph and stream, and all share
/// one serializer, as in a service.
/// </summary>
public sealed class SeriesWorkload : IDisposable
{
    /// <summary>One per thread.</summary>
    private readonly List<RunWorkload> _workloads = [];

    /// <summary>The threads; null for a single one.</summary>
    private readonly ThreadTeam? _team;

    /// <summary>Prepares a series: graphs, streams, the serializer, the data to read, and the threads.</summary>
    /// <param name="series">The series.</param>
    /// <param name="streamKind">Target and source of serialized data.</param>
    public SeriesWorkload(PlannedSeries series, StreamKind streamKind)
    {
        ArgumentNullException.ThrowIfNull(series);
        try
        {
            for (var thread = 0; thread < series.ThreadCount; thread++)
            {
                var shared = thread == 0 ? null : _workloads[0].Serializer;
                _workloads.Add(
                    new RunWorkload(
                        series.Serializer,
                        series.Operation,
                        series.ObjectCount,
                        series.PayloadBytes,
                        streamKind,
                        shared: shared
                    )
                );
            }

            if (series.ThreadCount > 1)
                _team = new ThreadTeam([.. _workloads.Select(workload => workload.Operation)]);
            Operation = _team is null ? _workloads[0].Operation : _team.Run;
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>
    /// The operation, once per thread; returns the size of one thread's data in bytes. Call <see cref="Reset"/> before each call.
    /// </summary>
    public Func<long> Operation { get; }

    /// <summary>Resets the streams to the start of the operation; returns when every thread waits for it.</summary>
    public void Reset()
    {
        foreach (var workload in _workloads)
            workload.Reset();
        _team?.WaitUntilReady();
    }

    /// <summary>Ends the threads and closes the streams.</summary>
    public void Dispose()
    {
        _team?.Dispose();
        foreach (var workload in _workloads)
            workload.Dispose();
    }
}
