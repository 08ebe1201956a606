using System.Collections.Concurrent;
using System.Globalization;

namespace EtwSerializerProfiler.Workload.Runs.Isolation;

/// <summary>
/// The serializer process's side of the protocol: waits for the next phase, and reports when it is done. Standard input has one line per
/// phase, such as <c>Measure 700</c>, with the number of runs that other processes make as far as known. Standard output has a line with
/// <see cref="AnswerMark"/> and the number of runs of this process. The end of standard input ends the work.
/// </summary>
public sealed class PhaseGate
{
    /// <summary>Prefix of an answer. Other lines of standard output are for people.</summary>
    public const string AnswerMark = "\u0001runs ";

    private readonly TextWriter _output;

    /// <summary>Requested phases; completed at the end of the input.</summary>
    private readonly BlockingCollection<(Phase Phase, int OtherRuns)> _asked = [];

    /// <summary>Starts reading.</summary>
    /// <param name="input">Lines of the launcher. A separate thread reads them, so that the end of the launcher ends a run at once.</param>
    /// <param name="output">Receives the answers.</param>
    /// <param name="ended">Called at the end of the input.</param>
    public PhaseGate(TextReader input, TextWriter output, Action ended)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(ended);
        _output = output;
        var reader = new Thread(() =>
        {
            while (input.ReadLine() is { } line)
                _asked.Add(Read(line));
            ended();
            _asked.CompleteAdding();
        });
        reader.IsBackground = true;
        reader.Name = "esp phases";
        reader.Start();
    }

    /// <summary>Formats a request.</summary>
    public static string Line(Phase phase, int otherRuns) => string.Create(CultureInfo.InvariantCulture, $"{phase} {otherRuns}");

    /// <summary>Parses the number of runs in an answer; null for other lines.</summary>
    public static int? ReadAnswer(string line)
    {
        ArgumentNullException.ThrowIfNull(line);
        var parts = line.Split([AnswerMark], StringSplitOptions.None); // a serializer's code may have written the start of the line
        return parts.Length == 2 && int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out var runs) ? runs : null;
    }

    /// <summary>Waits for the next phase; null when there is none.</summary>
    public (Phase Phase, int OtherRuns)? Wait() => _asked.TryTake(out var asked, Timeout.Infinite) ? asked : null;

    /// <summary>Reports that the phase is done.</summary>
    /// <param name="ownRuns">Number of runs of this process, as far as known.</param>
    public void Answer(int ownRuns)
    {
        _output.WriteLine(AnswerMark + ownRuns.ToString(CultureInfo.InvariantCulture));
        _output.Flush();
    }

    private static (Phase Phase, int OtherRuns) Read(string line)
    {
        var words = line.Split(' ');
        return Enum.TryParse<Phase>(words[0], out var phase)
            ? (phase, int.Parse(words[1], NumberStyles.None, CultureInfo.InvariantCulture))
            : throw new FormatException($"'{line}' is not a phase.");
    }
}
