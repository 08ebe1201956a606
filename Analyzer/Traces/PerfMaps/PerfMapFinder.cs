using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>Finds the perf map of a process of another tool's recording: beside the recording, or where the process wrote it.</summary>
/// <remarks>
/// Process ids are used again and maps stay, so a map may be another process's. Its code must lie where the process had memory for code: addresses are random, and those of another process do not.
/// </remarks>
public static class PerfMapFinder
{
    /// <summary>Smallest part of a map's code that lies in the memory of its process. Recordings do not show memory that becomes code by mprotect, as most of the runtime's helpers do; another process's code lies there by chance only.</summary>
    private const double MinShare = 0.1;

    private const string MapFolder = "/tmp";

    /// <summary>Finds a map.</summary>
    /// <param name="source">The process's records.</param>
    /// <param name="problem">Why a map that is there was not used; empty when there is none, or it was.</param>
    /// <returns>The map; null when the process has none.</returns>
    public static PerfMapSource? Find(ITraceSource source, out string problem)
    {
        ArgumentNullException.ThrowIfNull(source);
        problem = "";
        var name = PerfMap.FileNameOf(source.ProcessId);
        var beside = Path.Combine(Path.GetDirectoryName(Path.GetFullPath(source.Name)) ?? "", name);
        var path = File.Exists(beside) ? beside : Path.Combine(MapFolder, name);
        if (!File.Exists(path))
            return null;
        if (path != beside && FileTrust.Refusal(path, source.ProcessId) is { } reason)
        {
            problem = $"{path} was not used: {reason}";
            return null;
        }

        var map = PerfMapSource.Open(path, source.ProcessId, source.Clock);
        if (IsOf(map, source))
            return map;
        if (path == beside)
            problem = $"{path} was not used: its code does not lie in the memory of process {source.ProcessId}, so it is another process's";
        return null;
    }

    private static bool IsOf(PerfMapSource map, ITraceSource source)
    {
        var memory = new Memory();
        source.Read(memory);
        var (inside, all) = (0, 0);
        foreach (var start in map.Starts)
        {
            all++;
            inside += memory.Ranges.Exists(range => start >= range.Start && start < range.End) ? 1 : 0;
        }

        return all > 0 && inside >= MinShare * all;
    }

    /// <summary>Memory of a process in which code can be.</summary>
    private sealed class Memory : IEventSubscriber
    {
        public List<(ulong Start, ulong End)> Ranges { get; } = [];

        public void Subscribe(EventHub hub) => hub.Subscribe<FileMapping>(OnFileMapped);

        private void OnFileMapped(in FileMapping mapping)
        {
            if (SymbolResolver.IsMemory(mapping.Path))
                Ranges.Add((mapping.Start, mapping.Start + mapping.Length));
        }
    }
}
