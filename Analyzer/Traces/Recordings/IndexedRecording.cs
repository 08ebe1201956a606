namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>One recording of a <see cref="RecordingIndex"/>.</summary>
/// <param name="Folder">Its folder, relative to that of the index and inside it.</param>
/// <param name="Label">What its rows are told apart by: a runtime (<c>net10.0</c>, <c>mono</c>) or another variant of the same program; unique in the index.</param>
public sealed record IndexedRecording(string Folder, string Label);
