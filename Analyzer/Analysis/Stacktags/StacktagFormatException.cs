using System.Globalization;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>Thrown for an unreadable .stacktags file; names the file, the line, what was expected, what was found, and the fix.</summary>
/// <param name="file">Path of the file.</param>
/// <param name="line">Line, from 1.</param>
/// <param name="column">Column, from 1.</param>
/// <param name="expected">What was expected.</param>
/// <param name="found">What was found.</param>
/// <param name="fix">How to fix it.</param>
/// <param name="inner">The cause, if any.</param>
public sealed class StacktagFormatException(
    string file,
    int line,
    int column,
    string expected,
    string found,
    string fix,
    Exception? inner = null
) : Exception($"{file}: line {line}, column {column}: expected {expected}; {found}; {fix}.", inner), IProblemSource
{
    /// <summary>Line of the error, from 1.</summary>
    public int Line { get; } = line;

    /// <inheritdoc />
    public Problem Problem { get; } =
        new($"expected {expected}; {found}", string.Create(CultureInfo.InvariantCulture, $"{file}, line {line}, column {column}"), fix);
}
