using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Rows;

/// <summary>A dump of a recording with its run.</summary>
/// <param name="Label">Label of the recording if there are several, else empty.</param>
/// <param name="Dump">The dump.</param>
/// <param name="Run">The run of its process that the dump paused the longest; null when the dump was outside of all runs.</param>
public sealed record DumpRow(string Label, RecordedDump Dump, Run? Run)
{
    /// <summary>The dumps of all recordings, in order.</summary>
    /// <param name="runs">Runs of the recordings.</param>
    /// <param name="recordings">The recordings.</param>
    public static IReadOnlyList<DumpRow> Of(IReadOnlyList<Run> runs, IReadOnlyList<InputRecording> recordings)
    {
        ArgumentNullException.ThrowIfNull(runs);
        ArgumentNullException.ThrowIfNull(recordings);
        var dumped = runs.Where(run => run.DumpMs is not null).ToLookup(run => run.Process);
        return
        [
            .. recordings.SelectMany(recording =>
                recording.Description.Dumps.Select(dump => new DumpRow(
                    recording.Label,
                    dump,
                    dumped[new ProcessKey(recording.Label, dump.ProcessId)]
                        .Where(run => DumpPauses.OverlapMs(run, dump) > 0)
                        .MaxBy(run => DumpPauses.OverlapMs(run, dump))
                ))
            ),
        ];
    }
}
