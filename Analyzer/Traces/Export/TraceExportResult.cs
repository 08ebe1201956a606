namespace EtwSerializerProfiler.Traces.Export;

/// <summary>Result of an export.</summary>
/// <param name="Path">The file.</param>
/// <param name="FileBytes">Its size.</param>
/// <param name="RecordedBytes">Size of the recording's trace files.</param>
/// <param name="Elapsed">How long it took.</param>
/// <param name="Events">Events by kind, in a fixed order, without kinds that do not occur.</param>
/// <param name="LostEvents">Number of events that the recording lost; the file's header has it, too.</param>
/// <param name="Missing">What the file lacks, a sentence each.</param>
/// <param name="Problems">Damaged or unreadable parts of the recording, a sentence each.</param>
public sealed record TraceExportResult(
    string Path,
    long FileBytes,
    long RecordedBytes,
    TimeSpan Elapsed,
    IReadOnlyList<(string Kind, long Count)> Events,
    long LostEvents,
    IReadOnlyList<string> Missing,
    IReadOnlyList<string> Problems
);

/// <summary>Path and options of an export.</summary>
/// <param name="Path">The file.</param>
public sealed record TraceExportOptions(string Path)
{
    /// <summary>Whether an existing file is replaced.</summary>
    public bool Overwrite { get; init; }

    /// <summary>Whether the buffers of an .etl are compressed, as merging does on request on Windows.</summary>
    public bool Compress { get; init; }

    /// <summary>Name of the exported recording in the trace.</summary>
    public string Source { get; init; } = "";
}
