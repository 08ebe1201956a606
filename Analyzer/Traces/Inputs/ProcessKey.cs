using System.Globalization;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>Identifies a process, because process ids may repeat between recordings.</summary>
/// <param name="Recording">Label of the recording among several, empty when there is one.</param>
/// <param name="ProcessId">Process id; 0 when unknown.</param>
public readonly record struct ProcessKey(string Recording, int ProcessId)
{
    /// <summary>The process as text: <c>process 4711</c>, with several recordings <c>mono: process 4711</c>.</summary>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{(Recording.Length > 0 ? Recording + ": " : "")}process {ProcessId}");
}
