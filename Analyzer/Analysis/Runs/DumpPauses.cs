using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>Which runs stood still because a dump of their process was written: their times are those of the dump, too.</summary>
public static class DumpPauses
{
    /// <summary>The runs, those in which a dump was written with <see cref="Run.DumpMs"/>.</summary>
    /// <param name="runs">Runs.</param>
    /// <param name="recordings">The recordings they belong to; null when unknown.</param>
    public static IReadOnlyList<Run> Mark(IReadOnlyList<Run> runs, IReadOnlyList<InputRecording>? recordings)
    {
        ArgumentNullException.ThrowIfNull(runs);
        var dumps = (recordings ?? []).SelectMany(recording => recording.Description.Dumps.Select(dump => (Key: new ProcessKey(recording.Label, dump.ProcessId), Dump: dump))).ToLookup(pair => pair.Key, pair => pair.Dump);
        return dumps.Count == 0 ? runs : [.. runs.Select(run => dumps[run.Process].Sum(dump => OverlapMs(run, dump)) is > 0 and var ms ? run with { DumpMs = ms } : run)];
    }

    /// <summary>Those of a row that make its numbers: without the dumped ones, unless there are no others.</summary>
    internal static IReadOnlyList<T> Counted<T>(IReadOnlyList<T> row, Func<T, Run> runOf)
    {
        IReadOnlyList<T> undumped = [.. row.Where(item => runOf(item).DumpMs is null)];
        return undumped.Count > 0 ? undumped : row;
    }

    /// <summary>How long a run stood still for a dump of its process, in ms; 0 when the dump fell outside of it.</summary>
    public static double OverlapMs(Run run, RecordedDump dump)
    {
        ArgumentNullException.ThrowIfNull(run);
        ArgumentNullException.ThrowIfNull(dump);
        var ticks = Math.Min(run.StopTicks, dump.StopTicks) - Math.Max(run.StartTicks, dump.PauseStartTicks);
        return Math.Max(0, ticks * 1e3 / dump.TicksPerSecond);
    }
}
