using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>What the user named on the command line, resolved and opened.</summary>
/// <param name="Paths">The paths as named.</param>
/// <param name="Processes">Processes found, in a stable order.</param>
/// <param name="Recordings">Recordings that could be opened, none for bare files.</param>
/// <param name="HasRunCsv">Whether a run CSV was read.</param>
/// <param name="Problems">What could not be read, a sentence each.</param>
/// <param name="FilesRead">Paths of the files that are read.</param>
public sealed record TraceInput(
    IReadOnlyList<string> Paths,
    IReadOnlyList<TracedProcess> Processes,
    IReadOnlyList<InputRecording> Recordings,
    bool HasRunCsv,
    IReadOnlyList<string> Problems,
    IReadOnlyList<string> FilesRead)
{
    /// <summary>Description of the recording when there is one without an index; null for bare files and several recordings.</summary>
    public Recording? Recording => Recordings is [{ Label: "" } only] ? only.Description : null;

    /// <summary>Serializers that took no part, by run CSVs without a recording; those of a recording are in its description.</summary>
    public IReadOnlyList<LeftOutSerializer> LeftOut { get; init; } = [];

    /// <summary>What its parts were recorded on: the recordings in their order, then Windows traces.</summary>
    public IReadOnlyList<InputEnvironment> Environments { get => field ??= InputEnvironment.Of(this); init; }

    /// <summary>What EventPipe's sample profiler has of the CPU time, a sentence; empty when it took no samples.</summary>
    public string SampleProfilerNote
    {
        get
        {
            var sampled = Processes.Where(process => (process.Details & EventDetails.ManagedSamples) != 0).ToList();
            return sampled.Count == 0 ? ""
                : sampled.TrueForAll(process => (process.Kinds & EventKinds.ThreadClocks) != 0) ? "sampled by EventPipe's sample profiler and weighted by the threads' CPU clocks; managed frames at safe points"
                : "estimated by EventPipe's sample profiler: managed code at safe points; native code (system calls, compression, encryption, the JIT) and GCs are not in it";
        }
    }

    /// <summary>What the recordings say is missing from them, and what could not be opened, a sentence each.</summary>
    public IReadOnlyList<string> Missing()
    {
        var missing = new List<string>();
        foreach (var recording in Recordings)
        {
            var prefix = recording.Label.Length > 0 ? recording.Label + ": " : "";
            if (!recording.Description.Complete)
                missing.Add($"{prefix}the recording is partial{Reason(recording.Description)}");
            missing.AddRange(recording.Description.Losses.Select(loss => prefix + loss));
        }

        // What went wrong with a session stands in the losses and with the session.
        return [.. missing.Union(Problems)];
    }

    /// <summary>Why a recording is partial, unless one of its losses says so.</summary>
    private static string Reason(Recording recording)
    {
        if (recording.Losses.Contains(recording.Interruption))
            return "";
        return recording.Interruption.Length > 0 ? $": {recording.Interruption}" : ": it was cut short";
    }
}
