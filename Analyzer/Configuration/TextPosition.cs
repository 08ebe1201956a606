namespace EtwSerializerProfiler.Configuration;

/// <summary>A position in a text.</summary>
/// <param name="Line">Line, from 1.</param>
/// <param name="Column">Column in characters, from 1.</param>
public readonly record struct TextPosition(int Line, int Column);
