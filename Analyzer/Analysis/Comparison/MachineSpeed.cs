using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>
/// Whether the machine was as fast during a run as it can be, by the suite's speed probe: a fixed piece of work before and after each run (docs/metrics.md). On a virtual machine whose
/// core another guest shares, or a processor that throttles, the same run takes up to twice as long while its CPU time equals its wall time and nothing in the trace tells why.
/// </summary>
/// <remarks>Leaving such runs out is no selection by outcome: the probe knows nothing of the run. The fastest probe is that of all recordings of one machine and runtime, so that a
/// recording which was slow from begin to end is seen to be.</remarks>
public sealed class MachineSpeed
{
    /// <summary>A probe that took so many times the fastest one's is slow.</summary>
    public const double SlowFactor = 1.25;

    /// <summary>Fastest probe by machine and runtime, in ns.</summary>
    private readonly Dictionary<(string Machine, string Runtime), double> _fastest = [];

    /// <summary>Finds the fastest probes.</summary>
    public MachineSpeed(IEnumerable<ComparedRecording> recordings)
    {
        ArgumentNullException.ThrowIfNull(recordings);
        foreach (var recording in recordings)
        {
            foreach (var run in recording.Result.Runs)
            {
                if (Fastest(run) is { } probe && KeyOf(recording, run) is var key)
                    _fastest[key] = Math.Min(probe, _fastest.GetValueOrDefault(key, double.MaxValue));
            }
        }
    }

    /// <summary>Whether a probe beside the run was slow; false when there was none.</summary>
    public bool IsSlow(ComparedRecording recording, Run run) => Factor(recording, run) > SlowFactor;

    /// <summary>How many times the fastest probe's time the slower one beside the run took; null when there was none.</summary>
    public double? Factor(ComparedRecording recording, Run run)
    {
        ArgumentNullException.ThrowIfNull(recording);
        ArgumentNullException.ThrowIfNull(run);
        return Slowest(run) is { } probe && _fastest.TryGetValue(KeyOf(recording, run), out var fastest) && fastest > 0 ? probe / fastest : null;
    }

    /// <summary>Fastest probe of the recordings of a side in ns; null when they had none.</summary>
    public static double? FastestOf(ComparedSide side)
    {
        ArgumentNullException.ThrowIfNull(side);
        return side.Recordings.SelectMany(recording => recording.Result.Runs).Min(Fastest);
    }

    private static (string Machine, string Runtime) KeyOf(ComparedRecording recording, Run run) => (recording.Machine, run.Runtime);

    private static double? Fastest(Run run) => run.ProbeBeforeNs is { } before && run.ProbeAfterNs is { } after ? Math.Min(before, after) : run.ProbeBeforeNs ?? run.ProbeAfterNs;

    private static double? Slowest(Run run) => run.ProbeBeforeNs is { } before && run.ProbeAfterNs is { } after ? Math.Max(before, after) : run.ProbeBeforeNs ?? run.ProbeAfterNs;
}
