using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>A tool's error message: three lines, none of them empty.</summary>
public static partial class ErrorLines
{
    /// <summary>Throws unless the last three lines of an error stream are an error and no other line is.</summary>
    /// <param name="tool">Name of the tool.</param>
    /// <param name="error">What the tool wrote to the error stream; notes may precede it.</param>
    public static (string What, string Where, string Fix) Check(string tool, string error)
    {
        ArgumentNullException.ThrowIfNull(error);
        var lines = error
            .Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => line.TrimEnd('\r'))
            .SkipWhile(line => line.StartsWith($"{tool}: note: ", StringComparison.Ordinal))
            .ToList();
        if (lines.Count != 3)
            throw new InvalidOperationException($"{lines.Count} lines, not 3:\n{error}");
        string[] starts = [$"{tool}: error: ", "  where: ", "  fix: "];
        for (var i = 0; i < 3; i++)
        {
            if (!lines[i].StartsWith(starts[i], StringComparison.Ordinal) || lines[i].Length - starts[i].Length < 3)
                throw new InvalidOperationException($"line {i + 1} is not '{starts[i]}' with text after it:\n{error}");
        }

        if (Stack().IsMatch(error))
            throw new InvalidOperationException($"a stack trace, or the name of an exception:\n{error}");
        return (lines[0][starts[0].Length..], lines[1][starts[1].Length..], lines[2][starts[2].Length..]);
    }

    [GeneratedRegex(@"^\s+at [\w.]+\(|\b[A-Z]\w+Exception: ", RegexOptions.Multiline)]
    private static partial Regex Stack();
}
