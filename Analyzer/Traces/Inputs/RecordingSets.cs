using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>Folders with several recordings of the same thing, made one after another: a baseline.</summary>
public static class RecordingSets
{
    /// <summary>
    /// The recordings of a path: the path itself or, for a folder that is neither a recording nor an index of runtimes, those of its
    /// sub-folders that are; oldest first.
    /// </summary>
    public static IReadOnlyList<string> Expand(string path)
    {
        (path, var part) = TracePart.Divide(path);
        if (!Directory.Exists(path) || IsRecording(path))
            return [path + part];
        var recordings = Directory
            .EnumerateDirectories(path)
            .Where(IsRecording)
            .Select(folder => (Folder: folder, Started: StartOf(folder)))
            .ToList();
        return recordings.Count > 0
            ?
            [
                .. recordings
                    .OrderBy(item => item.Started)
                    .ThenBy(item => item.Folder, StringComparer.Ordinal)
                    .Select(item => item.Folder + part),
            ]
            : [path + part];
    }

    /// <summary>The recordings of a folder with one program on two runtimes, in index order; empty for every other path.</summary>
    public static IReadOnlyList<string> Pair(string path)
    {
        try
        {
            (path, var part) = TracePart.Divide(path);
            return RecordingIndexFile.Exists(path) && RecordingIndexFile.Read(path).Recordings is [var first, var second]
                ? [RecordingIndexFile.FolderOf(path, first) + part, RecordingIndexFile.FolderOf(path, second) + part]
                : [];
        }
        catch (Exception exception) when (exception is TraceFormatException or IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static bool IsRecording(string folder) =>
        File.Exists(Path.Combine(folder, Recording.FileName)) || RecordingIndexFile.Exists(folder);

    private static DateTime StartOf(string folder)
    {
        try
        {
            return RecordingIndexFile.Exists(folder) ? RecordingIndexFile.Read(folder).StartedUtc : RecordingFile.Read(folder).StartedUtc;
        }
        catch (Exception exception) when (exception is TraceFormatException or IOException or UnauthorizedAccessException)
        {
            // Reading it will report the problem.
            return DateTime.MinValue;
        }
    }
}
