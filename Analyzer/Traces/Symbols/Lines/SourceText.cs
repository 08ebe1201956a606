namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>The text of a source file.</summary>
/// <param name="Lines">Its lines; empty when unavailable.</param>
/// <param name="Problem">Why it is unavailable; empty when it is available.</param>
public sealed record SourceText(IReadOnlyList<string> Lines, string Problem)
{
    /// <summary>Its checksum in the PDB, in hexadecimal digits; empty when there is none.</summary>
    public string Checksum { get; init; } = "";

    /// <summary>An unavailable file.</summary>
    /// <param name="problem">Why.</param>
    public static SourceText None(string problem) => new([], problem);
}
