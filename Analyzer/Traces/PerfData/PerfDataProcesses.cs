using System.Text;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Lists the processes of a perf.data file.</summary>
public static class PerfDataProcesses
{
    /// <summary>Reads a file to its end.</summary>
    /// <returns>Processes with CPU samples or a name, most samples first.</returns>
    /// <exception cref="TraceFormatException">The file is not a readable perf.data file.</exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static IReadOnlyList<PerfDataProcess> Read(string path)
    {
        using var reader = PerfDataReader.Open(path);
        var names = new Dictionary<int, string>();
        var samples = new Dictionary<int, long>();
        while (reader.TryRead(out var record))
        {
            if (record.Type == PerfRecordType.Sample && record.Event.SamplesCpuTime)
            {
                var process = record.Origin.ProcessId;
                samples[process] = samples.GetValueOrDefault(process) + 1;
            }
            else if (record.TryReadComm(out var process, out var thread, out var name))
            {
                // A process has the name of its first thread.
                if (process == thread)
                    names[process] = Encoding.UTF8.GetString(name);
            }
            else if (
                record.Type == PerfRecordType.Fork
                && record.TryReadTask(out var task)
                && task.ProcessId != task.ParentProcessId
                && names.TryGetValue(task.ParentProcessId, out var inherited)
            )
            {
                names[task.ProcessId] = inherited;
            }
        }

        return
        [
            .. names
                .Keys.Union(samples.Keys)
                .Where(process => process >= 0)
                .Select(process => new PerfDataProcess(
                    process,
                    process == 0 ? "swapper" : names.GetValueOrDefault(process, ""),
                    samples.GetValueOrDefault(process)
                ))
                .OrderByDescending(process => process.Samples)
                .ThenBy(process => process.ProcessId),
        ];
    }
}

/// <summary>A process in a perf.data file.</summary>
/// <param name="ProcessId">The process; 0 is the idle task.</param>
/// <param name="Name">Last name of its first thread, at most 15 characters; empty when no record has one.</param>
/// <param name="Samples">Number of its CPU samples.</param>
public sealed record PerfDataProcess(int ProcessId, string Name, long Samples);
