using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>Finds the recordings of paths, with distinguishing labels.</summary>
internal static class RecordingFolders
{
    /// <summary>Whether a path names recordings: a folder, its recording.json, or an index.</summary>
    public static bool IsNamedBy(string path) =>
        Directory.Exists(path) || IsFile(path, Recording.FileName) || IsFile(path, RecordingIndex.FileName);

    /// <summary>
    /// Folder and label of each recording of a path: one, or those of an index. Labels are empty for one recording without an index.
    /// </summary>
    /// <param name="paths">Paths for which <see cref="IsNamedBy"/> holds.</param>
    /// <param name="readIndex">Reads the index in a folder; null when it is unreadable, which is reported elsewhere.</param>
    public static IReadOnlyList<(string Label, string Folder)> Find(IReadOnlyList<string> paths, Func<string, RecordingIndex?> readIndex)
    {
        var isAlone = paths.Count == 1;
        var found = new List<(string Label, string Folder)>();
        var names = Labels(paths.Select(FolderOf).ToList());
        for (var i = 0; i < paths.Count; i++)
        {
            var folder = FolderOf(paths[i]);
            if (IsFile(paths[i], Recording.FileName) || !RecordingIndexFile.Exists(folder))
                found.Add((isAlone ? "" : names[i], folder));
            else if (readIndex(folder) is { } index)
                found.AddRange(
                    index.Recordings.Select(recording =>
                        (isAlone ? recording.Label : $"{names[i]} {recording.Label}", RecordingIndexFile.FolderOf(folder, recording))
                    )
                );
        }

        return found;
    }

    /// <summary>Names of folders, or their paths if names repeat.</summary>
    private static List<string> Labels(List<string> folders)
    {
        var names = folders.ConvertAll(folder => Path.GetFileName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder))));
        return names.Distinct().Count() == names.Count && names.TrueForAll(name => name.Length > 0) ? names : folders;
    }

    private static string FolderOf(string path) =>
        Directory.Exists(path) ? path
        : Path.GetDirectoryName(path) is { Length: > 0 } folder ? folder
        : ".";

    private static bool IsFile(string path, string name) =>
        Path.GetFileName(path).Equals(name, StringComparison.OrdinalIgnoreCase) && !Directory.Exists(path);
}
