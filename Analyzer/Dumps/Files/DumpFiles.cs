using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Dumps.Files;

/// <summary>Finds the dump for a path.</summary>
public static class DumpFiles
{
    /// <summary>Finds the dump for a path: the file itself, or a dump of a recording.</summary>
    /// <param name="path">A dump, or the folder of a recording.</param>
    /// <param name="number">Number of the dump if there are several, from 1; null if there must be only one.</param>
    /// <returns>Its path, and its description in the recording; empty for a file.</returns>
    /// <exception cref="TraceFormatException">There is no dump, or there are several and none was selected.</exception>
    public static (string Path, string Origin) Find(string path, int? number)
    {
        if (!Directory.Exists(path))
            return (path, "");
        if (!File.Exists(Path.Combine(path, Recording.FileName)))
            throw DumpErrors.Of(
                path,
                "the path is a folder, but not a recording",
                0,
                $"a {Recording.FileName} in it",
                "there is none",
                "name a dump, or a folder written by esp-record"
            );
        var recording = RecordingFile.Read(path);
        var dumps = recording.Dumps;
        if (dumps.Count == 0)
            throw DumpErrors.Of(
                path,
                "the recording has no dump",
                0,
                "dumps in its recording.json",
                recording.DumpsNotTaken is [var first, ..] ? $"{first.Trigger}: {first.Reason.TrimEnd('.')}" : "none was requested",
                "record with --dump-on, or name a dump"
            );
        if (number is null && dumps.Count > 1)
            throw DumpErrors.Of(
                path,
                Text($"the recording has {Plural.Of(dumps.Count, "dump")}"),
                0,
                Text($"--dump 1 to --dump {dumps.Count}"),
                string.Join(", ", dumps.Select((dump, index) => Text($"{index + 1}: {dump.File} ({dump.Trigger})"))),
                "choose one with --dump N"
            );
        if ((number ?? 1) is var chosen && (chosen < 1 || chosen > dumps.Count))
            throw DumpErrors.Of(
                path,
                Text($"the recording has no dump {chosen}"),
                0,
                Text($"1 to {dumps.Count}"),
                Text($"--dump {chosen}"),
                "choose another"
            );
        return (Path.Combine(path, dumps[chosen - 1].File), Origin(dumps[chosen - 1]));
    }

    private static string Origin(RecordedDump dump) =>
        Text(
            $"Taken on {dump.Trigger}{(dump.ThrowNumber is { } number ? Text($", throw {number}") : "")}{(dump.ManagedThreadId is { } thread ? Text($", of thread {thread}") : "")}{(dump.ExceptionType.Length > 0 ? $": {dump.ExceptionType}" : "")}; the process stood still for {dump.PauseMs:0} ms, {(dump.Held ? "its thread was held from the throw" : "no thread was held, so the dump shows the process some time later")}{(dump.Note.Length > 0 ? $"; {dump.Note.TrimEnd('.')}" : "")}"
        );

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
