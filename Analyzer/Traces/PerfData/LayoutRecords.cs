using System.Text;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Publishes records on code locations and thread names.</summary>
/// <param name="processId">The process.</param>
/// <param name="features">The file's data on the machine.</param>
internal sealed class LayoutRecords(int processId, PerfDataFeatures features)
{
    /// <summary>Process of the kernel's own mapping.</summary>
    private const int Kernel = -1;

    private const int Executable = 4;

    /// <summary>Publishes a record of type Mmap, Mmap2, Comm or Fork.</summary>
    public void Read(in PerfRecord record, EventHub hub)
    {
        if (record.TryReadMapping(out var mapping))
        {
            ReadMapping(record.Time, mapping, record.Type, hub);
        }
        else if (record.TryReadComm(out var process, out var thread, out var name))
        {
            if (process != processId)
                return;
            var at = new EventAt(record.Time, processId, thread);
            if (record.IsExec)
                hub.Publish(new ProgramReplaced(at));
            hub.Publish(new ThreadNamed(at, Encoding.UTF8.GetString(name)));
        }
        else if (record.TryReadTask(out var task) && task.ProcessId == processId)
        {
            hub.Publish(new ThreadCreated(new EventAt(record.Time, processId, task.ThreadId), task.ParentThreadId));
        }
    }

    private void ReadMapping(long time, in PerfMapping mapping, PerfRecordType type, EventHub hub)
    {
        // Kernel modules are not in the model; kallsyms names them.
        if (mapping.ProcessId == Kernel && mapping.Path.StartsWith("[kernel.kallsyms]"u8))
            hub.Publish(new KernelMapping(mapping.Address, mapping.Length, features.HostName, features.KernelRelease));
        if (mapping.ProcessId != processId || (type == PerfRecordType.Mmap2 && (mapping.Protection & Executable) == 0))
            return;
        var path = hub.Texts.Of(mapping.Path);

        // perf record without --buildid-mmap writes build ids only to the header.
        var buildId =
            mapping.BuildId.Length > 0 ? Convert.ToHexStringLower(mapping.BuildId) : features.BuildIds.GetValueOrDefault(path, "");
        hub.Publish(
            new FileMapping(
                new EventAt(time, processId, mapping.ThreadId),
                mapping.Address,
                mapping.Length,
                mapping.PageOffset,
                path,
                buildId
            )
        );
    }
}
