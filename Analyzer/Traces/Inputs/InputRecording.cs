using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>A recording that was opened.</summary>
/// <param name="Label">What its rows are told apart by among several recordings; empty when there is one.</param>
/// <param name="Folder">Its folder.</param>
/// <param name="Description">Its recording.json.</param>
public sealed record InputRecording(string Label, string Folder, Recording Description);
