using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// What the runs of one series do under the clock. With several threads each has a graph and a stream of its own, and all share one serializer, as a
/// service does.
/// </summary>
public sealed class SeriesWorkload : IDisposable
{
    /// <summary>One a thread.</summary>
    private readonly List<RunWorkload> _workloads = [];

    /// <summary>The threads; null when there is one only, which needs no team.</summary>
    private readonly ThreadTeam? _team;

    /// <summary>Prepares a series: graphs, streams, the serializer, the data to read, and the threads.</summary>
    /// <param name="series">The series.</param>
    /// <param name="streamKind">Where the data goes and comes from.</param>
    public SeriesWorkload(PlannedSeries series, StreamKind streamKind)
    {
        ArgumentNullException.ThrowIfNull(series);
        try
        {
            for (var thread = 0; thread < series.ThreadCount; thread++)
            {
                var shared = thread == 0 ? null : _workloads[0].Serializer;
                _workloads.Add(new RunWorkload(series.Serializer, series.Operation, series.ObjectCount, series.PayloadBytes, streamKind, shared: shared));
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

    /// <summary>The operation, done once by each thread; returns the size of one thread's data in bytes. <see cref="Reset"/> comes before each call.</summary>
    public Func<long> Operation { get; }

    /// <summary>Puts the streams back to where the operation starts; returns when every thread waits for it.</summary>
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
