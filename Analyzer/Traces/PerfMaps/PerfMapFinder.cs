using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>Finds the perf map of a process in another tool's recording: beside the recording, or where the process wrote it.</summary>
internal static class PerfMapFinder
{
    /// <summary>Folder of runtimes' perf maps and jitdumps.</summary>
    public const string Folder = "/tmp";

    /// <summary>Finds a map.</summary>
    /// <param name="source">The process's records.</param>
    /// <param name="memory">Its memory.</param>
    /// <param name="problem">Reason why an existing map was ignored; empty otherwise.</param>
    /// <returns>The map; null when there is none.</returns>
    public static PerfMapSource? Find(ITraceSource source, CodeMemory memory, out string problem)
    {
        problem = "";
        var name = PerfMap.FileNameOf(source.ProcessId);
        var beside = Path.Combine(Path.GetDirectoryName(Path.GetFullPath(source.Name)) ?? "", name);
        var path = File.Exists(beside) ? beside : Path.Combine(Folder, name);
        if (!File.Exists(path))
            return null;
        if (path != beside && FileTrust.Refusal(path, source.ProcessId) is { } reason)
        {
            problem = $"{path} was not used: {reason}";
            return null;
        }

        PerfMapSource map;
        try
        {
            map = PerfMapSource.Open(path, source.ProcessId, source.Clock);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            problem = SystemProblem.Of(exception, path, "make it readable, or copy it beside the recording").ToString();
            return null;
        }

        if (memory.Holds(map.Starts, inFiles: false))
            return map;
        if (path == beside)
            problem =
                $"{path} was not used: it belongs to another process, because its code is not in the memory of process {source.ProcessId}";
        return null;
    }
}
