using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>
/// Recognizes runs during which something besides the program used the machine: another guest of the host, which shares the core; another
/// process, which shares the processors; or the writing of a dump.
/// </summary>
/// <remarks>
/// <para>The suite's speed probe, a fixed piece of work before and after each run (docs/metrics.md), shows the first: on a virtual machine
/// whose core another guest shares, and on a processor that throttles, the same run takes up to twice as long while its CPU time equals its
/// wall time, and nothing in the trace shows why. The fastest probe is taken over all recordings of one machine and runtime, so that a
/// recording that was slow throughout is recognized, too.</para>
/// <para>Context switches show the second: time in which the measuring thread was ready without a processor, and which the other threads of
/// its own process do not explain.</para>
/// <para>This does not select runs by outcome, because neither criterion is the compared time, and both sides are checked alike.</para>
/// </remarks>
public sealed class Disturbance
{
    /// <summary>Share of a run's wall time without a processor above which it counts as disturbed.</summary>
    public const double ReadyShare = 0.05;

    /// <summary>Fastest probe by machine and runtime, in ns.</summary>
    private readonly Dictionary<(string Machine, string Runtime), double> _fastest = [];

    /// <summary>Finds the fastest probes.</summary>
    public Disturbance(IEnumerable<ComparedRecording> recordings)
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

    /// <summary>Whether the run was disturbed, as far as its recording shows.</summary>
    public bool IsDisturbed(ComparedRecording recording, Run run) =>
        !run.IsWhole || Factor(recording, run) > SpeedProbe.SlowFactor || WasKeptWaiting(run);

    /// <summary>Time of the slower probe beside the run relative to the fastest probe; null without probes.</summary>
    public double? Factor(ComparedRecording recording, Run run)
    {
        ArgumentNullException.ThrowIfNull(recording);
        ArgumentNullException.ThrowIfNull(run);
        return Slowest(run) is { } probe && _fastest.TryGetValue(KeyOf(recording, run), out var fastest) && fastest > 0
            ? probe / fastest
            : null;
    }

    /// <summary>Whether other processes kept the run's thread from a processor; false when switches were not recorded.</summary>
    public static bool WasKeptWaiting(Run run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return run is { Measuring: { } measuring, CpuMs: { } cpu }
            && measuring.ReadyMs - Math.Max(0, cpu - measuring.OnCpuMs) > ReadyShare * run.WallMs;
    }

    /// <summary>Fastest probe of a side's recordings in ns; null without probes.</summary>
    public static double? FastestOf(ComparedSide side)
    {
        ArgumentNullException.ThrowIfNull(side);
        return side.Recordings.SelectMany(recording => recording.Result.Runs).Min(Fastest);
    }

    private static (string Machine, string Runtime) KeyOf(ComparedRecording recording, Run run) => (recording.Machine, run.Runtime);

    private static double? Fastest(Run run) =>
        run.ProbeBeforeNs is { } before && run.ProbeAfterNs is { } after ? Math.Min(before, after) : run.ProbeBeforeNs ?? run.ProbeAfterNs;

    private static double? Slowest(Run run) =>
        run.ProbeBeforeNs is { } before && run.ProbeAfterNs is { } after ? Math.Max(before, after) : run.ProbeBeforeNs ?? run.ProbeAfterNs;
}
