namespace EtwSerializerProfiler.Traces.Export;

/// <summary>What an export wrote, and what it could not.</summary>
/// <param name="Path">The file.</param>
/// <param name="FileBytes">Its size.</param>
/// <param name="RecordedBytes">Size of the recording's trace files.</param>
/// <param name="Elapsed">How long it took.</param>
/// <param name="Events">Events by kind, in a fixed order; kinds that do not occur are left out.</param>
/// <param name="LostEvents">Events that the recording lost: the file's header counts them, too.</param>
/// <param name="Missing">What the file does not have, a sentence each.</param>
/// <param name="Problems">What of the recording is damaged or could not be read, a sentence each.</param>
public sealed record TraceExportResult(
    string Path,
    long FileBytes,
    long RecordedBytes,
    TimeSpan Elapsed,
    IReadOnlyList<(string Kind, long Count)> Events,
    long LostEvents,
    IReadOnlyList<string> Missing,
    IReadOnlyList<string> Problems);

/// <summary>Where and how a trace is written.</summary>
/// <param name="Path">The file.</param>
public sealed record TraceExportOptions(string Path)
{
    /// <summary>Whether an existing file is replaced.</summary>
    public bool Overwrite { get; init; }

    /// <summary>Whether the buffers of an .etl are compressed, as merging does on request on Windows.</summary>
    public bool Compress { get; init; }

    /// <summary>What the trace calls the recording it was made of.</summary>
    public string Source { get; init; } = "";
}
