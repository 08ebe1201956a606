namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>A trace to be extracted: what becomes one trace of a store.</summary>
/// <param name="Path">Full path of the recording's folder or of the file.</param>
/// <param name="Format">What it is.</param>
public sealed record TraceUnit(string Path, TraceFormat Format)
{
    /// <summary>Name of the format in table <c>trace</c>.</summary>
    public string FormatName => Format.ToString().ToLowerInvariant();
}
