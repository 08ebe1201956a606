using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.CommandLine;

/// <summary>What a tool says beside its output: errors in three lines, losses and notes in one each. Everything that goes to the error stream for people to read is written here.</summary>
/// <param name="tool">Name of the tool.</param>
/// <param name="error">The error stream.</param>
public sealed class ToolMessages(string tool, TextWriter error)
{
    /// <summary>Name of the tool.</summary>
    public string Tool => tool;

    /// <summary>Writes why something could not be done: what, where, fix.</summary>
    public void Error(Problem problem)
    {
        ArgumentNullException.ThrowIfNull(problem);
        error.WriteLine($"{tool}: error: {OneLine(problem.What)}{Environment.NewLine}  where: {OneLine(problem.Where)}{Environment.NewLine}  fix: {OneLine(problem.Fix)}");
    }

    /// <summary>Writes what is missing from a recording.</summary>
    public void Loss(string loss) => error.WriteLine($"{tool}: {OneLine(loss)}");

    /// <summary>Writes what is being done now.</summary>
    public void Step(string step) => error.WriteLine($"{tool}: {OneLine(step)}");

    /// <summary>Writes what the user has to know of what was asked for.</summary>
    public void Note(string note) => error.WriteLine($"note: {OneLine(note)}");

    /// <summary>Messages of the system and of compilers have several lines now and then.</summary>
    private static string OneLine(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return PrintableText.Of(string.Join(' ', text.Split(['\r', '\n'], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)));
    }
}
