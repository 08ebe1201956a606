namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>
/// Several recordings that are read as one, for example the same suite on several runtimes: a folder with <c>index.json</c>, which is this
/// record, and a sub-folder for each recording.
/// </summary>
/// <param name="Schema">Schema version of the file; <see cref="CurrentSchema"/>.</param>
/// <param name="ToolVersion">Version of esp-record that wrote it.</param>
/// <param name="StartedUtc">When the first recording began, UTC.</param>
/// <param name="Recordings">The recordings in the order in which they were made.</param>
/// <param name="Problems">Requests that could not be recorded, a sentence each: <c>net472: no Mono was found</c>.</param>
public sealed record RecordingIndex(
    int Schema,
    string ToolVersion,
    DateTime StartedUtc,
    IReadOnlyList<IndexedRecording> Recordings,
    IReadOnlyList<string> Problems
)
{
    /// <summary>The schema this version writes.</summary>
    public const int CurrentSchema = 1;

    /// <summary>Name of the file in the folder of the recordings.</summary>
    public const string FileName = "index.json";
}

/// <summary>One recording of a <see cref="RecordingIndex"/>.</summary>
/// <param name="Folder">Its folder, relative to that of the index and inside it.</param>
/// <param name="Label">
/// Distinguishes its rows: a runtime (<c>net10.0</c>, <c>mono</c>) or another variant of the same program; unique in the index.
/// </param>
public sealed record IndexedRecording(string Folder, string Label);
