using System.Globalization;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>Identifies a process, because process ids may repeat between recordings.</summary>
/// <param name="Recording">Label of the recording among several, empty when there is one.</param>
/// <param name="ProcessId">Process id; 0 when unknown.</param>
/// <param name="Use">
/// Which of the recording's processes with this id, from 1: Windows gives the id of a process that has ended to one of the next.
/// </param>
public readonly record struct ProcessKey(string Recording, int ProcessId, int Use = 1)
{
    /// <summary>
    /// The process as text: <c>process 4711</c>, with several recordings <c>mono: process 4711</c>, the second one with this id
    /// <c>process 4711-2</c>.
    /// </summary>
    public override string ToString() => $"{(Recording.Length > 0 ? Recording + ": " : "")}process {Text(ProcessId, Use)}";

    /// <summary>The id as text, <c>4711-2</c> of the second process that had it; also in names of files.</summary>
    public static string Text(int processId, int use) =>
        processId.ToString(CultureInfo.InvariantCulture) + (use > 1 ? string.Create(CultureInfo.InvariantCulture, $"-{use}") : "");
}
