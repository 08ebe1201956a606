namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>A line of source code.</summary>
/// <param name="File">Path of the file as the compiler had it.</param>
/// <param name="Line">Number of the line, from 1.</param>
public sealed record SourceLine(string File, int Line)
{
    /// <summary>The file's name without its folders.</summary>
    public string FileName => File[(File.LastIndexOfAny(['/', '\\']) + 1)..];

    /// <summary>The file's name without its folders, and the line.</summary>
    public override string ToString() => FormattableString.Invariant($"{FileName}:{Line}");
}
