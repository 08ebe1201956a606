using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>A finished series of recordings.</summary>
/// <param name="Folder">Folder of the index.</param>
/// <param name="Index">The content of index.json; without recordings there is no such file.</param>
/// <param name="Results">The recordings, in the order of the index.</param>
/// <param name="Interrupted">Whether the user interrupted it.</param>
public sealed record SeriesResult(string Folder, RecordingIndex Index, IReadOnlyList<RecordingResult> Results, bool Interrupted)
{
    /// <summary>Failed recordings; the index has them as a line each.</summary>
    public IReadOnlyList<Problem> Failures { get; init; } = [];
}
