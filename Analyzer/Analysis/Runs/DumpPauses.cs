using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>Finds runs that were paused while a dump of their process was written, which lengthens their times.</summary>
public static class DumpPauses
{
    /// <summary>Returns the runs; those with a dump have <see cref="Run.DumpMs"/>.</summary>
    /// <param name="runs">Runs.</param>
    /// <param name="recordings">Recordings of the runs; null when unknown.</param>
    public static IReadOnlyList<Run> Mark(IReadOnlyList<Run> runs, IReadOnlyList<InputRecording>? recordings)
    {
        ArgumentNullException.ThrowIfNull(runs);
        var dumps = (recordings ?? [])
            .SelectMany(recording =>
                recording.Description.Dumps.Select(dump => (Key: new ProcessKey(recording.Label, dump.ProcessId), Dump: dump))
            )
            .ToLookup(pair => pair.Key, pair => pair.Dump);
        return dumps.Count == 0
            ? runs
            :
            [
                .. runs.Select(run =>
                    dumps[run.Process].Sum(dump => OverlapMs(run, dump)) is > 0 and var ms ? run with { DumpMs = ms } : run
                ),
            ];
    }

    /// <summary>Time that a dump paused a run of its process, in ms; 0 when the dump was outside of the run.</summary>
    public static double OverlapMs(Run run, RecordedDump dump)
    {
        ArgumentNullException.ThrowIfNull(run);
        ArgumentNullException.ThrowIfNull(dump);
        var ticks = Math.Min(run.StopTicks, dump.StopTicks) - Math.Max(run.StartTicks, dump.PauseStartTicks);
        return Math.Max(0, ticks * 1e3 / dump.TicksPerSecond);
    }
}
