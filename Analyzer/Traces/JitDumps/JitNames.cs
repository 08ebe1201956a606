using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfMaps;

namespace EtwSerializerProfiler.Traces.JitDumps;

/// <summary>
/// Finds names of jitted code for a process in a perf.data file of perf record: from its jitdump, from the images that perf inject made of
/// one, else from its perf map.
/// </summary>
internal static class JitNames
{
    /// <summary>
    /// A damaged dump is used, because it has times, if it names this share of the map's code. By default, .NET 10.0.12 logs a block of
    /// stubs of 64 KB but can read only half of it, so its dumps end at their second record unless stubs are logged one by one.
    /// </summary>
    private const double MinShareOfMap = 0.9;

    /// <summary>Finds names.</summary>
    /// <param name="source">The process's records.</param>
    /// <param name="problems">Receives what could not be used, with reasons.</param>
    /// <returns>The names; null when there are none.</returns>
    /// <exception cref="IOException">The recording is unreadable.</exception>
    public static CodeNameSource? Find(PerfDataSource source, ICollection<string> problems)
    {
        var memory = CodeMemory.Of(source);
        if (FindImages(source, memory, problems) is { } images)
            return images;
        var dump = JitDumpFinder.Find(source, memory, problems);
        var damage = dump?.Damage;
        var problem = "";
        var map = dump is null || damage is not null ? PerfMapFinder.Find(source, memory, out problem) : null;
        if (dump is null)
        {
            if (problem.Length > 0)
                problems.Add(problem);
            return map;
        }

        // Nothing is missing then: a recording of a .NET program by its defaults has such a dump and a whole map.
        if (damage is not null && map is not null && dump.Codes.Count < MinShareOfMap * map.Count)
            return map;
        if (damage is not null)
            problems.Add($"{damage}; methods compiled later have no names");
        var hasTimes = dump.HasSystemTimes && source.HasMonotonicClock;
        if (!hasTimes)
            problems.Add(
                $"{dump.Path}: its clock differs from that of {source.Name}, so reused memory has the later name for both methods; {(dump.HasSystemTimes ? "record with perf record -k CLOCK_MONOTONIC" : "it has the processor's time stamps")}"
            );
        return new JitCodeSource(dump.Path, source.ProcessId, source.Clock, dump.Codes, hasTimes);
    }

    private static JitCodeSource? FindImages(PerfDataSource source, CodeMemory memory, ICollection<string> problems)
    {
        var codes = JittedImages.Read(memory.Mappings, Path.GetDirectoryName(Path.GetFullPath(source.Name)) ?? "", out var missing);
        if (missing > 0)
            problems.Add(
                $"{source.Name}: {Plural.Of(missing, "image")} of perf inject (jitted-{source.ProcessId}-N.so) cannot be read, so the code in them has no names; keep them beside the file"
            );
        if (codes.Count == 0)
            return null; // the dump may exist
        return new JitCodeSource(source.Name, source.ProcessId, source.Clock, codes, hasTimes: true);
    }
}
