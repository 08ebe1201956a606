using System.IO.Compression;
using System.Text.Json.Serialization;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>Finds the traces that paths refer to.</summary>
public sealed class TraceDiscovery
{
    private readonly bool _recursive;
    private readonly SortedDictionary<string, TraceUnit> _units = new(StringComparer.Ordinal);
    private readonly HashSet<string> _others = new(StringComparer.Ordinal);
    private readonly HashSet<string> _folders = new(StringComparer.Ordinal);
    private readonly List<string> _problems = [];

    /// <summary>Part of the traces that the path names, beginning with #; empty for all.</summary>
    private string _part = "";

    private TraceDiscovery(bool recursive) => _recursive = recursive;

    /// <summary>
    /// Finds the traces. A recording or an index of recordings is one trace; for another folder, its direct children are checked.
    /// </summary>
    /// <param name="paths">
    /// Files and folders; each may name a part of its traces, and the delimiter of their runs (<see cref="TracePart"/>).
    /// </param>
    /// <param name="recursive">Whether to search sub-folders that are not recordings. Links to folders are not followed.</param>
    /// <exception cref="TraceFormatException">A path does not exist, or its named part is invalid.</exception>
    public static DiscoveredTraces Find(IReadOnlyList<string> paths, bool recursive)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var discovery = new TraceDiscovery(recursive);
        foreach (var path in paths)
        {
            _ = TracePart.Of([path]); // validates it before any trace is read
            (var bare, discovery._part) = TracePart.Divide(path);
            discovery.Add(bare);
        }

        return new DiscoveredTraces([.. discovery._units.Values], discovery._others.Count, discovery._folders.Count, discovery._problems);
    }

    private void Add(string path)
    {
        var full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        if (Directory.Exists(full))
        {
            if (!TryAddRecording(full))
                AddChildren(full, depth: 0);
        }
        else if (!File.Exists(full))
        {
            throw new TraceFormatException(
                path,
                null,
                "a recording, a trace file or a folder of them",
                "the file or folder does not exist",
                "name an existing one"
            );
        }
        else if (Path.GetFileName(full) is Recording.FileName or RecordingIndex.FileName)
        {
            TryAddRecording(Path.GetDirectoryName(full)!);
        }
        else
        {
            AddFile(full, FormatOf(full) ?? FormatByContent(full));
        }
    }

    private bool TryAddRecording(string folder)
    {
        var isRecording = RecordingIndexFile.Exists(folder) || File.Exists(Path.Combine(folder, Recording.FileName));
        if (isRecording)
            AddUnit(new TraceUnit(folder, TraceFormat.Recording));
        return isRecording;
    }

    private void AddChildren(string folder, int depth)
    {
        string[] files,
            folders;
        try
        {
            (files, folders) = (Directory.GetFiles(folder), Directory.GetDirectories(folder));
        }
        catch (Exception exception) when ((exception is IOException or UnauthorizedAccessException) && depth > 0)
        {
            _problems.Add($"{folder}: {exception.Message.TrimEnd('.')}");
            return;
        }

        foreach (var file in files.Where(file => UnmergedTrace.OwnerOf(file) is null)) // included with its owner
            AddFile(file, FormatOf(file));
        foreach (var child in folders)
        {
            if (TryAddRecording(child))
                continue;
            if (_recursive && (File.GetAttributes(child) & FileAttributes.ReparsePoint) == 0)
                AddChildren(child, depth + 1);
            else
                _folders.Add(child);
        }
    }

    private void AddFile(string file, TraceFormat? format)
    {
        if (format is { } known)
            AddUnit(new TraceUnit(file, known));
        else
            _others.Add(file);
    }

    private void AddUnit(TraceUnit unit)
    {
        unit = unit with { Part = _part };
        _units.TryAdd(unit.Name, unit);
    }

    /// <summary>Format of a file by its name; null when it is not a trace.</summary>
    private static TraceFormat? FormatOf(string file)
    {
        var name = Path.GetFileName(file);
        if (Ends(".etl") || Ends(".etl.zip") || Ends(".diagsession") || (Ends(".zip") && MayHoldTrace(file)))
            return TraceFormat.Etl;
        if (Ends(".nettrace") || Ends(".nettrace.zst"))
            return TraceFormat.NetTrace;
        return name.StartsWith("perf.data", StringComparison.Ordinal) || Ends(".perf.data") ? TraceFormat.Perf : null;

        bool Ends(string extension) => name.EndsWith(extension, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>
    /// Whether an archive contains an .etl file. True for an archive that cannot be opened, because reading it will report the error.
    /// </summary>
    private static bool MayHoldTrace(string file)
    {
        try
        {
            using var archive = ZipFile.OpenRead(file);
            return archive.Entries.Any(entry => entry.Name.EndsWith(".etl", StringComparison.OrdinalIgnoreCase));
        }
        catch (Exception exception) when (exception is InvalidDataException or IOException or UnauthorizedAccessException)
        {
            return true;
        }
    }

    /// <summary>Format of a named file by its first bytes.</summary>
    private static TraceFormat? FormatByContent(string file)
    {
        try
        {
            return PerfDataReader.IsPerfData(file) ? TraceFormat.Perf
                : NetTraceSource.IsNetTrace(file) ? TraceFormat.NetTrace
                : null;
        }
        catch (UnauthorizedAccessException)
        {
            return null;
        }
    }
}

/// <summary>The traces that paths refer to.</summary>
/// <param name="Units">The traces without duplicates, ordered by path (ordinal).</param>
/// <param name="OtherFiles">Number of skipped files that are not traces.</param>
/// <param name="OtherFolders">Number of folders that are not recordings and were not searched.</param>
/// <param name="Problems">Folders that could not be listed, a sentence each.</param>
public sealed record DiscoveredTraces(IReadOnlyList<TraceUnit> Units, int OtherFiles, int OtherFolders, IReadOnlyList<string> Problems);

/// <summary>A trace to extract, which becomes one trace of a store.</summary>
/// <param name="Path">Full path of the recording's folder or of the file.</param>
/// <param name="Format">Its format.</param>
public sealed record TraceUnit(string Path, TraceFormat Format)
{
    /// <summary>
    /// The part to extract and the events that delimit its runs, as named by the user: <c>#from=2,runs=My-App/Request</c>; empty for all.
    /// Other parts of the same files are separate traces of a store.
    /// </summary>
    public string Part { get; init; } = "";

    /// <summary>Its name in a store: the path followed by the part.</summary>
    [JsonIgnore]
    public string Name => Path + Part;

    /// <summary>Name of the format in table <c>trace</c>.</summary>
    [JsonIgnore]
    public string FormatName => Format.ToString().ToLowerInvariant();
}

/// <summary>A file of a trace.</summary>
/// <param name="Name">
/// Its name in the recording's folder, with slashes; empty for a trace that is a single file, independent of its file name.
/// </param>
/// <param name="Path">Its path.</param>
/// <param name="Bytes">Its size.</param>
public readonly record struct UnitFile(string Name, string Path, long Bytes);

/// <summary>Formats of traces.</summary>
public enum TraceFormat
{
    /// <summary>A folder written by esp-record, or a folder with an index of several.</summary>
    Recording = 0,

    /// <summary>A Windows trace, or an archive with one.</summary>
    Etl = 1,

    /// <summary>An EventPipe file.</summary>
    NetTrace = 2,

    /// <summary>A perf.data file.</summary>
    Perf = 3,
}
