using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>
/// Whether something besides the program had the machine during a run: another guest of the host, which shares the core, or another process, which shares the processors; or a dump was written in it.
/// </summary>
/// <remarks>
/// <para>The first is told by the suite's speed probe, a fixed piece of work before and after each run (docs/metrics.md): on a virtual machine whose core another guest shares, and on a
/// processor that throttles, the same run takes up to twice as long while its CPU time equals its wall time, and nothing in the trace tells why. The fastest probe is that of all
/// recordings of one machine and runtime, so that a recording which was slow from begin to end is seen to be.</para>
/// <para>The second is told by the context switches: time in which the measuring thread could have run and had no processor, and which the other threads of its own process do not
/// account for.</para>
/// <para>To leave such runs out is no selection by outcome: neither sign is the time that is compared, and both are looked for on both sides alike.</para>
/// </remarks>
public sealed class Disturbance
{
    /// <summary>Share of a run's wall time without a processor from which on it was disturbed.</summary>
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

    /// <summary>Whether the run was disturbed, as far as its recording tells.</summary>
    public bool IsDisturbed(ComparedRecording recording, Run run) => run.DumpMs is not null || Factor(recording, run) > SpeedProbe.SlowFactor || WasKeptWaiting(run);

    /// <summary>How many times the fastest probe's time the slower one beside the run took; null when there was none.</summary>
    public double? Factor(ComparedRecording recording, Run run)
    {
        ArgumentNullException.ThrowIfNull(recording);
        ArgumentNullException.ThrowIfNull(run);
        return Slowest(run) is { } probe && _fastest.TryGetValue(KeyOf(recording, run), out var fastest) && fastest > 0 ? probe / fastest : null;
    }

    /// <summary>Whether other processes kept the run's thread from a processor; false when switches were not recorded.</summary>
    public static bool WasKeptWaiting(Run run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return run is { Measuring: { } measuring, CpuMs: { } cpu } && measuring.ReadyMs - Math.Max(0, cpu - measuring.OnCpuMs) > ReadyShare * run.WallMs;
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
