using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Timelines;

/// <summary>Reads the timeline in the pass that sums the costs of runs. Memory grows with runs and pauses.</summary>
public sealed class TimelineReading : IRunReader
{
    /// <summary>Number of buckets of a timeline; in a recording of a minute, they are 2 ms long.</summary>
    public const int Buckets = 32_768;

    private IReadOnlyList<TracedProcess> _processes = [];
    private readonly List<Lane> _lanes = [];

    /// <inheritdoc />
    public IEnumerable<TraceRequest> Prepare(IReadOnlyList<TracedProcess> processes)
    {
        _processes = processes;
        return [];
    }

    /// <inheritdoc />
    public IEnumerable<TraceRequest> Begin(IReadOnlyList<Run> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        var requests = new List<TraceRequest>();
        foreach (var recording in runs.GroupBy(run => run.Process.Recording))
        {
            var lane = new Lane(recording.Key, [.. recording], [.. _processes.Where(process => process.Label == recording.Key)]);
            _lanes.Add(lane);
            requests.AddRange(lane.Requests());
        }

        return requests;
    }

    /// <summary>The timelines, one per recording with runs.</summary>
    /// <param name="runs">The runs with their costs.</param>
    public IReadOnlyList<Timeline> Result(IReadOnlyList<Run> runs) =>
        [.. _lanes.Select(lane => lane.Result([.. runs.Where(run => run.Process.Recording == lane.Name)]))];

    /// <summary>Data of one recording.</summary>
    private sealed class Lane
    {
        private readonly IReadOnlyList<Run> _runs;
        private readonly IReadOnlyList<TracedProcess> _processes;
        private readonly List<TimelinePass> _passes = [];
        private readonly TraceClock _clock;
        private readonly BucketSeries _onCpu;
        private readonly BucketSeries _preempted;
        private readonly BucketSeries _jit;
        private readonly long _origin;
        private readonly long _start;
        private readonly long _bucketTicks;

        public Lane(string name, IReadOnlyList<Run> runs, IReadOnlyList<TracedProcess> processes)
        {
            Name = name;
            _runs = runs;
            _processes = [.. processes.Where(process => runs.Any(run => run.Process == process.Key))];
            _clock = _processes[0].Sources.Count > 0 ? _processes[0].Sources[0].Clock : new TraceClock(0, 1_000_000_000);
            _origin = runs.Min(run => run.StartTicks - (long)Math.Round(run.StartMs * _clock.TicksPerSecond / 1e3));
            _start = runs.Min(run => run.StartTicks);
            _bucketTicks = Math.Max(1, ((runs.Max(run => run.StopTicks) - _start) / Buckets) + 1);
            (_onCpu, _preempted, _jit) = (
                new BucketSeries(_start, _bucketTicks, Buckets),
                new BucketSeries(_start, _bucketTicks, Buckets),
                new BucketSeries(_start, _bucketTicks, Buckets)
            );
        }

        public string Name { get; }

        public IEnumerable<TraceRequest> Requests()
        {
            foreach (var process in _processes)
            {
                var pass = new TimelinePass(
                    _runs.Where(run => run.Process == process.Key).Select(run => run.MeasuringThread).OfType<long>().ToHashSet(),
                    _onCpu,
                    _preempted,
                    _jit
                );
                _passes.Add(pass);
                foreach (var request in process.Requests(pass))
                    yield return request;
            }
        }

        public Timeline Result(IReadOnlyList<Run> runs) =>
            new()
            {
                Recording = Name,
                StartMs = Ms(_start),
                StopMs = Ms(runs.Max(run => run.StopTicks)),
                BucketMs = _clock.ToMilliseconds(_bucketTicks),
                Runs = [.. runs.OrderBy(run => run.StartTicks).Select(run => new TimelineRun(run, Ms(run.StartTicks)))],
                Pauses = Has(EventKinds.Gc)
                    ?
                    [
                        .. _passes
                            .SelectMany(pass => pass.Pauses)
                            .OrderBy(pause => pause.Start)
                            .Select(pause => new TimelinePause(
                                Ms(pause.Start),
                                _clock.ToMilliseconds(pause.Stop - pause.Start),
                                pause.Generation
                            )),
                    ]
                    : null,
                OnCpu = HasMeasuring ? _onCpu.Shares() : null,
                Preempted = HasReadyTime ? _preempted.Shares() : null,
                Jit = Has(EventKinds.Jit) ? _jit.Shares() : null,
            };

        private bool HasReadyTime =>
            HasMeasuring
            && (Has(EventKinds.ContextSwitches) || !_processes.Any(process => (process.Details & EventDetails.NoReadyTime) != 0));

        private bool HasMeasuring =>
            Has(EventKinds.ContextSwitches | EventKinds.ThreadClocks) && _runs.Any(run => run.MeasuringThread is not null);

        private bool Has(EventKinds kind) => _processes.Any(process => (process.Kinds & kind) != 0);

        private double Ms(long ticks) => _clock.ToMilliseconds(ticks - _origin);
    }
}
