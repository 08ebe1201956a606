using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// Finds processes by id, by program name, or by the kernel's name for them (15 characters); several are separated by commas.
/// </summary>
internal static class ProcessChoice
{
    /// <summary>Maximum length of the kernel's process names.</summary>
    private const int KernelNameLength = 15;

    /// <summary>Returns the processes with a name, including those with only kernel events.</summary>
    /// <exception cref="UnknownProcessException">No process matches.</exception>
    /// <exception cref="IOException">A file became unreadable.</exception>
    public static IReadOnlyList<TracedProcess> Find(IReadOnlyList<TracedProcess> processes, string name)
    {
        var patterns = NamePattern.List(name);
        var files = processes
            .SelectMany(process => process.Sources.OfType<PerfDataSource>().Select(source => (process.Label, source.Name)))
            .Distinct()
            .ToList();
        var recorded = files
            .SelectMany(file => PerfDataProcesses.Read(file.Name).Select(process => (file.Label, File: file.Name, Process: process)))
            .ToList();
        var found = processes
            .Where(process =>
                Is(process.ProcessId, process.Program, patterns)
                || recorded.Exists(item =>
                    KeyOf(item.Label, item.Process) == process.Key && Is(process.ProcessId, item.Process.Name, patterns)
                )
            )
            .ToList();
        foreach (var (label, file, process) in recorded)
        {
            var key = KeyOf(label, process);
            if (Is(process.ProcessId, process.Name, patterns) && !found.Exists(known => known.Key == key))
                found.Add(
                    processes.FirstOrDefault(known => known.Key == key)
                        ?? new TracedProcess(
                            process.ProcessId,
                            process.Name,
                            "",
                            [PerfDataSource.Open(file, process.ProcessId, reportsLosses: false)],
                            []
                        )
                        {
                            Label = label,
                        }
                );
        }

        if (found.Count > 0)
            return found;
        throw new UnknownProcessException(
            name,
            [
                .. recorded.Select(item =>
                    (item.Process.ProcessId, Name(KeyOf(item.Label, item.Process), item.Process.Name), (long?)item.Process.Samples)
                ),
                .. processes
                    .Where(process => !recorded.Exists(item => KeyOf(item.Label, item.Process) == process.Key))
                    .Select(process => (process.ProcessId, process.Program, (long?)null)),
            ]
        );

        static ProcessKey KeyOf(string label, PerfDataProcess process) => new(label, process.ProcessId);

        string Name(ProcessKey key, string recordedName) =>
            processes.FirstOrDefault(process => process.Key == key)?.Program is { Length: > 0 } program ? program : recordedName;
    }

    private static bool Is(int id, string recordedName, IReadOnlyList<NamePattern> patterns) =>
        patterns.Any(pattern =>
            pattern.Text == id.ToString(CultureInfo.InvariantCulture)
            || (recordedName.Length > 0 && pattern.Matches(recordedName))
            || (recordedName.Length == KernelNameLength && pattern.Text.StartsWith(recordedName, StringComparison.OrdinalIgnoreCase))
        );
}
