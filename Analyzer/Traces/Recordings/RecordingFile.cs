using System.Text;
using System.Text.Json;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>Reads and writes <c>recording.json</c>.</summary>
public static class RecordingFile
{
    private const string Changed = "the file was changed: copy the recording again";

    /// <summary>
    /// Writes the recording's description into its folder; the file is replaced atomically, so a crash leaves the old or the new one.
    /// </summary>
    /// <exception cref="IOException">The folder cannot be written.</exception>
    public static void Write(string folder, Recording recording)
    {
        var path = Path.Combine(folder, Recording.FileName);
        var temporary = path + ".tmp";
        File.WriteAllText(temporary, JsonSerializer.Serialize(recording, RecordingFileJson.Contract.Recording) + "\n");
        File.Move(temporary, path, overwrite: true);
    }

    /// <summary>Reads the description of the recording in <paramref name="folder"/>.</summary>
    /// <exception cref="TraceFormatException">It is missing, not JSON, or of a newer schema, or names dumps outside its folder.</exception>
    public static Recording Read(string folder)
    {
        var path = Path.Combine(folder, Recording.FileName);
        try
        {
            var recording = Checked(RecordingFileJson.Read(File.ReadAllBytes(path), RecordingFileJson.Contract.Recording), path);
            CheckDumps(path, folder, recording.Dumps);
            return recording;
        }
        catch (JsonException exception)
        {
            throw NotJson(path, exception);
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new TraceFormatException(
                path,
                null,
                "a recording's folder",
                "there is no recording.json in it",
                "name a folder written by esp-record, or a trace file",
                exception
            );
        }
    }

    /// <summary>Reads a description that is stored outside of its folder.</summary>
    /// <param name="json">Its text.</param>
    /// <param name="where">Where it is stored, for errors.</param>
    /// <exception cref="TraceFormatException">It is not JSON, or of a newer schema.</exception>
    public static Recording Parse(string json, string where)
    {
        try
        {
            return Checked(RecordingFileJson.Read(Encoding.UTF8.GetBytes(json), RecordingFileJson.Contract.Recording), where);
        }
        catch (JsonException exception)
        {
            throw NotJson(where, exception);
        }
    }

    private static Recording Checked(Recording? recording, string path)
    {
        if (recording is null)
            throw new TraceFormatException(path, null, "a JSON object", "the file holds null", "record again");
        if (recording.Schema is < 1 or > Recording.CurrentSchema)
            throw new TraceFormatException(
                path,
                null,
                $"schema {Recording.CurrentSchema} or older",
                $"it has schema {recording.Schema}",
                $"use the version of the tool that wrote it ({recording.ToolVersion})"
            );
        var longest = (DateTime.MaxValue - recording.StartedUtc).TotalMilliseconds;
        if (!(recording.DurationMs >= 0 && recording.DurationMs < longest))
            throw new TraceFormatException(
                path,
                null,
                "a duration in ms",
                FormattableString.Invariant($"durationMs is {recording.DurationMs}"),
                Changed
            );
        if (recording.Kept is { TicksPerSecond: <= 0 } || recording.Span is { TicksPerSecond: <= 0 })
            throw new TraceFormatException(path, null, "ticks per second of the recorded interval", "they are not positive", Changed);
        return recording;
    }

    private static TraceFormatException NotJson(string path, JsonException exception) =>
        new(
            path,
            null,
            "a recording.json of esp-record",
            $"line {exception.LineNumber + 1}, byte {exception.BytePositionInLine}: {exception.Message.TrimEnd('.')}",
            "copy the file again, or record again",
            exception
        );

    /// <summary>An untrusted description must not name files outside of its folder, and dump times must be valid numbers.</summary>
    private static void CheckDumps(string path, string folder, IReadOnlyList<RecordedDump> dumps)
    {
        var root = Path.Join(Path.GetFullPath(folder), RecordedDump.FolderName) + Path.DirectorySeparatorChar;
        foreach (var dump in dumps)
        {
            if (
                string.IsNullOrEmpty(dump?.File)
                || !Path.GetFullPath(dump.File, Path.GetFullPath(folder)).StartsWith(root, StringComparison.Ordinal)
            )
                throw new TraceFormatException(
                    path,
                    null,
                    $"dumps in the sub-folder '{RecordedDump.FolderName}'",
                    $"'{dump?.File}' is not in it",
                    Changed
                );
            if (dump.TicksPerSecond <= 0)
                throw new TraceFormatException(
                    path,
                    null,
                    "a dump's ticks per second",
                    $"'{dump.File}' has {dump.TicksPerSecond}",
                    Changed
                );
        }
    }
}
