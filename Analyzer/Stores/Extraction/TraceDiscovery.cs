using System.IO.Compression;
using System.Text.Json.Serialization;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>Finds the traces that paths name.</summary>
public sealed class TraceDiscovery
{
    private readonly bool _recursive;
    private readonly SortedDictionary<string, TraceUnit> _units = new(StringComparer.Ordinal);
    private readonly HashSet<string> _others = new(StringComparer.Ordinal);
    private readonly HashSet<string> _folders = new(StringComparer.Ordinal);
    private readonly List<string> _problems = [];

    /// <summary>What the path names of its traces, beginning with the #; empty for all.</summary>
    private string _part = "";

    private TraceDiscovery(bool recursive) => _recursive = recursive;

    /// <summary>Finds them. A recording is one trace, and so is an index of recordings; of another folder its direct children are looked at.</summary>
    /// <param name="paths">Files and folders; each may name a part of its traces, and what delimits their runs (<see cref="TracePart"/>).</param>
    /// <param name="recursive">Whether sub-folders that are no recordings are searched, too. Links to folders are not followed.</param>
    /// <exception cref="TraceFormatException">A path does not exist, or the part that it names cannot be read.</exception>
    public static DiscoveredTraces Find(IReadOnlyList<string> paths, bool recursive)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var discovery = new TraceDiscovery(recursive);
        foreach (var path in paths)
        {
            _ = TracePart.Of([path]); // what is wrong with it is known before any trace is read
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
            throw new TraceFormatException(path, null, "a recording, a trace file or a folder of them", "there is no such file or folder", "name one that exists");
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
        string[] files, folders;
        try
        {
            (files, folders) = (Directory.GetFiles(folder), Directory.GetDirectories(folder));
        }
        catch (Exception exception) when ((exception is IOException or UnauthorizedAccessException) && depth > 0)
        {
            _problems.Add($"{folder}: {exception.Message.TrimEnd('.')}");
            return;
        }

        foreach (var file in files.Where(file => UnmergedTrace.OwnerOf(file) is null)) // its owner brings it
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

    /// <summary>What a file is by its name; null when it is no trace.</summary>
    private static TraceFormat? FormatOf(string file)
    {
        var name = Path.GetFileName(file);
        if (Ends(".etl") || Ends(".etl.zip") || Ends(".diagsession") || (Ends(".zip") && MayHoldTrace(file)))
            return TraceFormat.Etl;
        if (Ends(".nettrace"))
            return TraceFormat.NetTrace;
        return name.StartsWith("perf.data", StringComparison.Ordinal) || Ends(".perf.data") ? TraceFormat.Perf : null;

        bool Ends(string extension) => name.EndsWith(extension, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Whether an archive has an .etl file. One that cannot be opened may have had one: reading it will say what is wrong.</summary>
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

    /// <summary>What a file that was named is by its first bytes.</summary>
    private static TraceFormat? FormatByContent(string file)
    {
        try
        {
            return PerfDataReader.IsPerfData(file) ? TraceFormat.Perf : NetTraceSource.IsNetTrace(file) ? TraceFormat.NetTrace : null;
        }
        catch (UnauthorizedAccessException)
        {
            return null;
        }
    }
}

/// <summary>What paths name.</summary>
/// <param name="Units">Traces, each once, in the order of their paths (ordinal).</param>
/// <param name="OtherFiles">Files that are no traces and were passed over.</param>
/// <param name="OtherFolders">Folders that are no recordings and were not searched.</param>
/// <param name="Problems">Folders that could not be listed, a sentence each.</param>
public sealed record DiscoveredTraces(IReadOnlyList<TraceUnit> Units, int OtherFiles, int OtherFolders, IReadOnlyList<string> Problems);

/// <summary>A trace to be extracted: what becomes one trace of a store.</summary>
/// <param name="Path">Full path of the recording's folder or of the file.</param>
/// <param name="Format">What it is.</param>
public sealed record TraceUnit(string Path, TraceFormat Format)
{
    /// <summary>What of it is extracted, and by which events its runs are delimited, as the user named it: <c>#from=2,runs=My-App/Request</c>; empty for all. Other parts of the same files are other traces of a store.</summary>
    public string Part { get; init; } = "";

    /// <summary>Its name in a store: the path with the part.</summary>
    [JsonIgnore]
    public string Name => Path + Part;

    /// <summary>Name of the format in table <c>trace</c>.</summary>
    [JsonIgnore]
    public string FormatName => Format.ToString().ToLowerInvariant();
}

/// <summary>A file of a trace.</summary>
/// <param name="Name">Its name in the recording's folder, with slashes; empty for a trace that is one file, whatever it is called.</param>
/// <param name="Path">Where it is.</param>
/// <param name="Bytes">Its size.</param>
public readonly record struct UnitFile(string Name, string Path, long Bytes);

/// <summary>What a trace to be extracted is.</summary>
public enum TraceFormat
{
    /// <summary>A folder written by esp-record, or one with an index of several.</summary>
    Recording = 0,

    /// <summary>A Windows trace, or an archive of one.</summary>
    Etl = 1,

    /// <summary>A file of EventPipe.</summary>
    NetTrace = 2,

    /// <summary>A perf.data file.</summary>
    Perf = 3,
}
