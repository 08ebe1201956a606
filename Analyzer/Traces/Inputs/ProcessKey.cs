using System.Globalization;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>Tells processes apart: ids of processes of different recordings may be the same.</summary>
/// <param name="Recording">Label of the recording among several, empty when there is one.</param>
/// <param name="ProcessId">Process id, 0 when unknown.</param>
public readonly record struct ProcessKey(string Recording, int ProcessId)
{
    /// <summary>The process in words: <c>process 4711</c>, of one of several recordings <c>mono: process 4711</c>.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{(Recording.Length > 0 ? Recording + ": " : "")}process {ProcessId}");
}
