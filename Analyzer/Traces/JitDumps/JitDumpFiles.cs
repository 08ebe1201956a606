namespace EtwSerializerProfiler.Traces.JitDumps;

/// <summary>The jitdumps in a folder.</summary>
public static class JitDumpFiles
{
    /// <summary>Paths of the dumps in a folder that belong to other processes.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="processes">Ids of the excluded processes.</param>
    public static IReadOnlyList<string> OfOthers(string folder, IEnumerable<int> processes)
    {
        var own = processes.Select(JitDump.FileNameOf).ToHashSet();
        return
        [
            .. Directory
                .EnumerateFiles(folder)
                .Where(path => Path.GetFileName(path) is var name && JitDump.IsFileName(name) && !own.Contains(name)),
        ];
    }
}
