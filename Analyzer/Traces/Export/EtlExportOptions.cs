namespace EtwSerializerProfiler.Traces.Export;

/// <summary>Where and how an .etl is written.</summary>
/// <param name="Path">The file.</param>
public sealed record EtlExportOptions(string Path)
{
    /// <summary>Whether an existing file is replaced.</summary>
    public bool Overwrite { get; init; }

    /// <summary>Whether buffers are compressed, as merging does on request on Windows.</summary>
    public bool Compress { get; init; }

    /// <summary>What the trace calls the recording it was made of.</summary>
    public string Source { get; init; } = "";
}
