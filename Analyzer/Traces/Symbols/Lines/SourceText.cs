namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>The text of a source file.</summary>
/// <param name="Lines">Its lines; empty when it is not to be had.</param>
/// <param name="Problem">Why not; empty when it is.</param>
public sealed record SourceText(IReadOnlyList<string> Lines, string Problem)
{
    /// <summary>The checksum that the PDB has of it, in hexadecimal digits; empty when there is none.</summary>
    public string Checksum { get; init; } = "";

    /// <summary>A file that is not to be had.</summary>
    /// <param name="problem">Why.</param>
    public static SourceText None(string problem) => new([], problem);
}
