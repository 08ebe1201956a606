using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>The input on the command line, resolved and opened.</summary>
/// <param name="Paths">The paths as named.</param>
/// <param name="Processes">The processes in a stable order.</param>
/// <param name="Recordings">Opened recordings; empty for bare files.</param>
/// <param name="HasRunCsv">Whether a run CSV was read.</param>
/// <param name="Problems">Unreadable parts, one sentence each.</param>
/// <param name="FilesRead">Paths of the input files.</param>
public sealed record TraceInput(
    IReadOnlyList<string> Paths,
    IReadOnlyList<TracedProcess> Processes,
    IReadOnlyList<InputRecording> Recordings,
    bool HasRunCsv,
    IReadOnlyList<string> Problems,
    IReadOnlyList<string> FilesRead
)
{
    /// <summary>Description of a single recording without index; null for bare files and several recordings.</summary>
    public Recording? Recording => Recordings is [{ Label: "" } only] ? only.Description : null;

    /// <summary>Skipped serializers, from run CSVs without a recording; recordings have them in their descriptions.</summary>
    public IReadOnlyList<LeftOutSerializer> LeftOut { get; init; } = [];

    /// <summary>Assemblies and namespaces that the command line calls own code; empty for those of the recordings.</summary>
    public IReadOnlyList<NamePattern> MyCode { get; init; } = [];

    /// <summary>Environments of its parts: the recordings in order, then Windows traces.</summary>
    public IReadOnlyList<InputEnvironment> Environments
    {
        get => field ??= InputEnvironment.Of(this);
        init;
    }

    private const string Weighted = "sampled by EventPipe's sample profiler and weighted by the threads' CPU clocks";

    private const string Stepped = ", which advance in steps of 10 to 16 ms, so the CPU time of a single run is not recorded";

    private const string Frames = "; managed frames at safe points";

    private const string Estimated =
        "estimated by EventPipe's sample profiler: managed code at safe points, "
        + "without native code (system calls, compression, encryption, the JIT) and GCs";

    /// <summary>Sentence on the CPU time of EventPipe's sample profiler; empty without its samples.</summary>
    public string SampleProfilerNote
    {
        get
        {
            var sampled = Processes.Where(process => (process.Details & EventDetails.ManagedSamples) != 0).ToList();
            return sampled.Count == 0 ? ""
                : !sampled.TrueForAll(process => (process.Details & EventDetails.ClockedSamples) != 0) ? Estimated
                : $"{Weighted}{(sampled.TrueForAll(process => (process.Kinds & EventKinds.ThreadClocks) != 0) ? "" : Stepped)}{Frames}";
        }
    }

    /// <summary>Losses of the recordings, and what could not be opened, one sentence each.</summary>
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

        // A session's problem is in the losses and in the session.
        return [.. missing.Union(Problems)];
    }

    /// <summary>Reason why a recording is partial, unless one of its losses has it.</summary>
    private static string Reason(Recording recording)
    {
        if (recording.Losses.Contains(recording.Interruption))
            return "";
        return recording.Interruption.Length > 0 ? $": {recording.Interruption}" : ": it was cut short";
    }
}
