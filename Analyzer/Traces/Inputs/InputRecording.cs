using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>An opened recording.</summary>
/// <param name="Label">Label that distinguishes its rows if there are several recordings, else empty.</param>
/// <param name="Folder">Its folder.</param>
/// <param name="Description">Its recording.json.</param>
public sealed record InputRecording(string Label, string Folder, Recording Description);
