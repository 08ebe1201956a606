using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.CommandLine;

/// <summary>
/// A tool's messages on the error stream: errors in three lines; losses, steps and notes in one line each. All begin with the
/// tool's name, because the recorded program writes to the same terminal.
/// </summary>
/// <param name="tool">Name of the tool.</param>
/// <param name="error">The error stream.</param>
public sealed class ToolMessages(string tool, TextWriter error)
{
    /// <summary>Name of the tool.</summary>
    public string Tool => tool;

    /// <summary>Writes a problem as three lines: what, where, fix.</summary>
    public void Error(Problem problem)
    {
        ArgumentNullException.ThrowIfNull(problem);
        error.WriteLine(
            $"{tool}: error: {OneLine(problem.What)}{Environment.NewLine}  where: {OneLine(problem.Where)}{Environment.NewLine}  fix: {OneLine(problem.Fix)}"
        );
    }

    /// <summary>Writes a loss of a recording.</summary>
    public void Loss(string loss) => error.WriteLine($"{tool}: {OneLine(loss)}");

    /// <summary>Writes the current step.</summary>
    public void Step(string step) => error.WriteLine($"{tool}: {OneLine(step)}");

    /// <summary>Writes a note, for example what is left out and why.</summary>
    public void Note(string note) => error.WriteLine($"{tool}: note: {OneLine(note)}");

    /// <summary>Makes one printable line of a text, because messages of the system and of compilers have several lines.</summary>
    private static string OneLine(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return PrintableText.Of(
            string.Join(' ', text.Split(['\r', '\n'], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        );
    }
}
