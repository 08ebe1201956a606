using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Packing;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>
/// The files of a trace: all that its analysis reads, except perf maps and jitdumps beside a perf.data file, because only its records show
/// whether they belong to it. Other files beside them, such as report.html, are not part of the trace.
/// </summary>
public static class UnitFiles
{
    private static readonly string[] s_extensions = [".nettrace", ".etl", PackedFile.Extension];

    /// <summary>Returns the files ordered by name (ordinal).</summary>
    /// <exception cref="IOException">The folder or the file cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    public static IReadOnlyList<UnitFile> Of(TraceUnit unit)
    {
        ArgumentNullException.ThrowIfNull(unit);
        if (unit.Format != TraceFormat.Recording)
        {
            return
            [
                .. UnmergedTrace
                    .WithParts([unit.Path])
                    .Select(
                        (path, index) =>
                            new UnitFile(
                                index == 0 ? "" : Path.GetFileName(path)[Path.GetFileNameWithoutExtension(unit.Path).Length..],
                                path,
                                new FileInfo(path).Length
                            )
                    ),
            ];
        }

        var files = new SortedDictionary<string, UnitFile>(StringComparer.Ordinal);
        if (RecordingIndexFile.Exists(unit.Path))
            AddIndex(unit.Path, files);
        else
            AddFolder(unit.Path, "", files);
        return [.. files.Values];
    }

    private static void AddIndex(string folder, SortedDictionary<string, UnitFile> files)
    {
        Add(folder, "", RecordingIndex.FileName, files);
        try
        {
            foreach (var recording in RecordingIndexFile.Read(folder).Recordings)
            {
                if (Directory.Exists(RecordingIndexFile.FolderOf(folder, recording)))
                    AddFolder(RecordingIndexFile.FolderOf(folder, recording), recording.Folder.Replace('\\', '/') + "/", files);
            }
        }
        catch (TraceFormatException)
        {
            // Reading the trace will report the error.
        }
    }

    private static void AddFolder(string folder, string prefix, SortedDictionary<string, UnitFile> files)
    {
        var named = Named(folder);
        foreach (var path in Directory.EnumerateFiles(folder))
        {
            var name = Path.GetFileName(path);
            if (
                named.Contains(name)
                || s_extensions.Contains(Path.GetExtension(name).ToLowerInvariant())
                || name.StartsWith("perf.data", StringComparison.Ordinal)
                || IsCodeNames(name)
            )
            {
                Add(folder, prefix, name, files);
            }
        }
    }

    /// <summary>Whether a file is a perf map or a jitdump.</summary>
    private static bool IsCodeNames(string name) =>
        (name.StartsWith("perf-", StringComparison.Ordinal) && name.EndsWith(".map", StringComparison.Ordinal))
        || (name.StartsWith("jit-", StringComparison.Ordinal) && name.EndsWith(".dump", StringComparison.Ordinal));

    /// <summary>Files that are not traces but describe one, and files that the recording names.</summary>
    private static HashSet<string> Named(string folder)
    {
        HashSet<string> names = [Recording.FileName, RunEnvironment.FileName, Recording.RunsFileName];
        try
        {
            var recording = RecordingFile.Read(folder);
            names.UnionWith([
                recording.RunsFile,
                recording.Etw?.File ?? "",
                recording.Kernel?.File ?? "",
                .. recording.Processes.SelectMany(process => process.Sessions).Select(session => session.File),
            ]);
        }
        catch (TraceFormatException)
        {
            // Reading the trace will report the error.
        }

        return names;
    }

    private static void Add(string folder, string prefix, string name, SortedDictionary<string, UnitFile> files)
    {
        var path = Path.Combine(folder, name);
        files[prefix + name] = new UnitFile(prefix + name, path, new FileInfo(path).Length);
    }
}
