using System.Text.Json;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>Reads and writes <c>index.json</c>.</summary>
public static class RecordingIndexFile
{
    /// <summary>Whether the folder holds an index of recordings.</summary>
    public static bool Exists(string folder) => File.Exists(PathOf(folder));

    /// <summary>Path of the index in its folder.</summary>
    public static string PathOf(string folder) => Path.Combine(folder, RecordingIndex.FileName);

    /// <summary>
    /// Writes the index into the folder of its recordings; the file is replaced as a whole, so a crash leaves the old or the new one.
    /// </summary>
    /// <exception cref="TraceFormatException">A folder lies outside, or a label is empty or used twice.</exception>
    /// <exception cref="IOException">The folder cannot be written.</exception>
    public static void Write(string folder, RecordingIndex index)
    {
        ArgumentNullException.ThrowIfNull(index);
        var path = PathOf(folder);
        Check(path, folder, index);
        var temporary = path + ".tmp";
        File.WriteAllText(temporary, JsonSerializer.Serialize(index, RecordingFileJson.Contract.RecordingIndex) + "\n");
        File.Move(temporary, path, overwrite: true);
    }

    /// <summary>Reads the index in <paramref name="folder"/>; its recordings are not opened.</summary>
    /// <exception cref="TraceFormatException">
    /// It is missing, not JSON, of a newer schema, names folders outside its own, or labels that are empty or used twice.
    /// </exception>
    public static RecordingIndex Read(string folder)
    {
        var path = PathOf(folder);
        try
        {
            var index =
                RecordingFileJson.Read(File.ReadAllBytes(path), RecordingFileJson.Contract.RecordingIndex)
                ?? throw new TraceFormatException(path, null, "a JSON object", "the file holds null", "record again");
            if (index.Schema is < 1 or > RecordingIndex.CurrentSchema)
                throw new TraceFormatException(
                    path,
                    null,
                    $"schema {RecordingIndex.CurrentSchema} or older",
                    $"it has schema {index.Schema}",
                    $"use the version of the tool that wrote it ({index.ToolVersion})"
                );
            Check(path, folder, index);
            return index;
        }
        catch (JsonException exception)
        {
            throw new TraceFormatException(
                path,
                null,
                "an index.json of esp-record",
                $"line {exception.LineNumber + 1}, byte {exception.BytePositionInLine}: {exception.Message.TrimEnd('.')}",
                "copy the file again, or record again",
                exception
            );
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new TraceFormatException(
                path,
                null,
                "a folder of recordings",
                "there is no index.json in it",
                "name a folder written by esp-record --runtime, or one recording",
                exception
            );
        }
    }

    /// <summary>Path of a recording's folder: that of the index and the recording's own.</summary>
    public static string FolderOf(string folder, IndexedRecording recording)
    {
        ArgumentNullException.ThrowIfNull(recording);
        return Path.Combine(folder, recording.Folder);
    }

    private static void Check(string path, string folder, RecordingIndex index)
    {
        var root = Path.GetFullPath(folder).TrimEnd(Path.DirectorySeparatorChar) + Path.DirectorySeparatorChar;
        var labels = new HashSet<string>();
        foreach (var recording in index.Recordings)
        {
            // An untrusted index must not name folders outside of its own.
            if (string.IsNullOrEmpty(recording?.Folder) || !IsInside(Path.GetFullPath(recording.Folder, root), root))
                throw new TraceFormatException(
                    path,
                    null,
                    "recordings in sub-folders of the index's folder",
                    $"'{recording?.Folder}' is not one",
                    "the index was changed: copy the recordings again"
                );
            if (string.IsNullOrWhiteSpace(recording.Label) || !labels.Add(recording.Label))
                throw new TraceFormatException(
                    path,
                    null,
                    "a unique label for each recording",
                    $"'{recording.Label}' is empty or used twice",
                    "the index was changed: copy the recordings again"
                );
        }
    }

    private static bool IsInside(string path, string root) => path.Length > root.Length && path.StartsWith(root, StringComparison.Ordinal);
}
