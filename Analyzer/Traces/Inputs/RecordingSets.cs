using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>Folders that hold several recordings of the same thing, made one after the other: a baseline.</summary>
public static class RecordingSets
{
    /// <summary>The recordings that a path names: the path itself, or, of a folder that is no recording and no index of runtimes, its sub-folders that are; the oldest first.</summary>
    public static IReadOnlyList<string> Expand(string path)
    {
        (path, var part) = TracePart.Divide(path);
        if (!Directory.Exists(path) || IsRecording(path))
            return [path + part];
        var recordings = Directory.EnumerateDirectories(path).Where(IsRecording).Select(folder => (Folder: folder, Started: StartOf(folder))).ToList();
        return recordings.Count > 0 ? [.. recordings.OrderBy(item => item.Started).ThenBy(item => item.Folder, StringComparer.Ordinal).Select(item => item.Folder + part)] : [path + part];
    }

    /// <summary>The recordings of a folder that holds one program on two runtimes, in the order of its index; empty for every other path.</summary>
    public static IReadOnlyList<string> Pair(string path)
    {
        try
        {
            (path, var part) = TracePart.Divide(path);
            return RecordingIndexFile.Exists(path) && RecordingIndexFile.Read(path).Recordings is [var first, var second] ? [RecordingIndexFile.FolderOf(path, first) + part, RecordingIndexFile.FolderOf(path, second) + part] : [];
        }
        catch (Exception exception) when (exception is TraceFormatException or IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static bool IsRecording(string folder) => File.Exists(Path.Combine(folder, Recording.FileName)) || RecordingIndexFile.Exists(folder);

    private static DateTime StartOf(string folder)
    {
        try
        {
            return RecordingIndexFile.Exists(folder) ? RecordingIndexFile.Read(folder).StartedUtc : RecordingFile.Read(folder).StartedUtc;
        }
        catch (Exception exception) when (exception is TraceFormatException or IOException or UnauthorizedAccessException)
        {
            // Reading it will say what is wrong with it.
            return DateTime.MinValue;
        }
    }
}
