using System.Globalization;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Finds the processes a user names: by id, by the program, or by the name the kernel has of them (15 characters); upper and lower case are the same.</summary>
internal static class ProcessChoice
{
    /// <summary>Characters of a name that the kernel keeps.</summary>
    private const int KernelNameLength = 15;

    /// <summary>The processes of a name, also those of which nothing but kernel events were recorded.</summary>
    /// <exception cref="UnknownProcessException">There is none.</exception>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    public static IReadOnlyList<TracedProcess> Find(IReadOnlyList<TracedProcess> processes, string name)
    {
        var files = processes.SelectMany(process => process.Sources).OfType<PerfDataSource>().Select(source => source.Name).Distinct().ToList();
        var recorded = files.SelectMany(file => PerfDataProcesses.Read(file).Select(process => (File: file, Process: process))).ToList();
        var found = processes.Where(process => Is(process.ProcessId, process.Program, name) || recorded.Exists(item => item.Process.ProcessId == process.ProcessId && Is(process.ProcessId, item.Process.Name, name)))
            .ToList();
        foreach (var (file, process) in recorded)
        {
            if (Is(process.ProcessId, process.Name, name) && !found.Exists(known => known.ProcessId == process.ProcessId))
                found.Add(processes.FirstOrDefault(known => known.ProcessId == process.ProcessId) ?? new TracedProcess(process.ProcessId, process.Name, "", [PerfDataSource.Open(file, process.ProcessId, tellsLosses: false)], []));
        }

        if (found.Count > 0)
            return found;
        throw new UnknownProcessException(
            name,
            [
                .. recorded.Select(item => (item.Process.ProcessId, Name(item.Process.ProcessId, item.Process.Name), (long?)item.Process.Samples)),
                .. processes.Where(process => !recorded.Exists(item => item.Process.ProcessId == process.ProcessId)).Select(process => (process.ProcessId, process.Program, (long?)null)),
            ]);

        string Name(int id, string recordedName) => processes.FirstOrDefault(process => process.ProcessId == id)?.Program is { Length: > 0 } program ? program : recordedName;
    }

    private static bool Is(int id, string recordedName, string name) =>
        name == id.ToString(CultureInfo.InvariantCulture)
        || (recordedName.Length > 0 && recordedName.Equals(name, StringComparison.OrdinalIgnoreCase))
        || (recordedName.Length == KernelNameLength && name.StartsWith(recordedName, StringComparison.OrdinalIgnoreCase));
}
