using System.Globalization;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>Describes what an exported trace lacks.</summary>
internal static class ExportLimits
{
    private const string LabelsLeftOut =
        "labels of {0:N0} events are omitted (trace and span ids, names and values): 'esp-analyze events' shows them in the original trace";

    private const string UnsampledSwitchStacks =
        "{0:N0} waits have no stack: threads switched so often that the recorder took stacks only part of the time";

    private const string NoKernelSamples = "samples in kernel mode are missing: recording them needs root or CAP_PERFMON";

    public static IReadOnlyList<string> Of(ExportCounts counts, TraceInput input, RecordedThreads threads, bool hasKernelSession)
    {
        var isRecording = input.Recordings.Count > 0;
        var all = input.Processes.Aggregate(EventKinds.None, (seen, process) => seen | process.Kinds);
        hasKernelSession &= input.Processes.Any(process =>
            (process.Kinds & EventKinds.ContextSwitches) != 0 || (process.Details & EventDetails.ManagedSamples) == 0
        );
        var list = new List<string>();
        if (!hasKernelSession)
            list.Add("no kernel session was recorded, so CPU samples, context switches, images and thread names are missing");
        else if ((all & EventKinds.ContextSwitches) == 0)
            list.Add("no context switches were recorded, so CPU time is by samples only");
        else if (!isRecording)
            list.Add(
                $"the other side of a context switch is a thread of the process '{PseudoThreads.Name}', because the trace has only one thread per switch"
            );
        else if ((all & EventKinds.OtherProcesses) == 0)
            list.Add(
                $"it has only the recorded processes (no --system-wide), so the other side of a context switch is the process '{PseudoThreads.Name}'"
            );
        if (
            hasKernelSession
            && (all & EventKinds.ContextSwitches) != 0
            && (all & (EventKinds.SwitchOutStacks | EventKinds.SwitchInStacks)) == 0
        )
            list.Add(
                isRecording
                    ? "context switches have no stacks: recording them needs root or CAP_PERFMON"
                    : "context switches have no stacks: they were not recorded"
            );
        if (hasKernelSession && !SamplesKernel(input))
            list.Add(NoKernelSamples);
        if (hasKernelSession && threads.SampleInterval % 100 != 0)
            list.Add(
                Invariant(
                    $"the sampling interval of {threads.SampleInterval} ns becomes {threads.SampleInterval / 100 * 100} ns, because Windows counts in units of 100 ns"
                )
            );
        if (input.SampleProfilerNote.Length > 0)
            list.Add("samples of EventPipe's sample profiler are omitted: an .etl has samples per processor");
        if (threads.HasOtherIntervals)
            list.Add("samples have different weights; in the export all represent one interval");
        Add(counts.RepeatedEvents, "{0:N0} events that two sessions of a process recorded are exported once");
        Add(counts.LabelsLeftOut, LabelsLeftOut);
        Add(counts.TooLarge, "{0:N0} events are omitted: they exceed 64 KB, the maximum record size of an .etl");
        Add(counts.StacksTooLarge, "{0:N0} events have no stack: event and stack together exceed 64 KB");
        Add(counts.Undecodable, "{0:N0} damaged records of the kernel session are omitted");
        Add(
            counts.StacksWithoutReturn,
            "{0:N0} stacks of context switches are omitted: their threads were never switched in again, which is when Windows logs them"
        );
        Add(counts.UnsampledSwitchStacks, UnsampledSwitchStacks);
        Add(counts.AmbiguousAddresses, "{0:N0} frames may have a wrong name: other code was at their addresses before");
        if (input.HasRunCsv)
            list.Add("the run CSV: name it with the .etl (esp-analyze table FILE.etl runs.csv) for runs that the trace lacks");
        return list;

        void Add(long count, string text)
        {
            if (count > 0)
                list.Add(string.Format(CultureInfo.InvariantCulture, text, count));
        }
    }

    /// <summary>Whether code of the kernel was sampled in any process.</summary>
    public static bool SamplesKernel(TraceInput input) =>
        input.Processes.Any(process => (process.Details & EventDetails.KernelSamples) != 0);

    /// <summary>What a .nettrace file lacks.</summary>
    public static IEnumerable<string> OfNetTrace(ExportSource source, NetTraceEventWriter writer)
    {
        var counts = source.Counts;
        if (!source.HasKernelEvents)
            yield return "no kernel session was recorded, so CPU samples, context switches and mapped files are missing";
        if (source.HasKernelEvents && !SamplesKernel(source.Input))
            yield return NoKernelSamples;
        if (source.HasKernelEvents && counts.Switches == 0)
            yield return "no context switches were recorded, so thread time views have CPU time only";
        if (source.Threads.HasOtherIntervals)
            yield return Invariant(
                $"samples have different weights; in the export all represent the mean, {source.Threads.SampleInterval} ns"
            );
        foreach (
            var (count, text) in new[]
            {
                (counts.RepeatedEvents, "{0:N0} events that two sessions of a process recorded are exported once"),
                (counts.LabelsLeftOut, LabelsLeftOut),
                (counts.TooLarge, "{0:N0} events are omitted: TraceEvent does not read payloads over 64 KB"),
                (writer.CutStacks, "{0:N0} stacks are cut: they have more frames than TraceEvent reads"),
                (counts.Undecodable, "{0:N0} damaged records of the kernel session are omitted"),
                (counts.StacksWithoutReturn, "{0:N0} stacks of context switches are omitted: their threads were never switched in again"),
                (counts.UnsampledSwitchStacks, UnsampledSwitchStacks),
                (counts.AmbiguousAddresses, "{0:N0} frames may have a wrong name: other code was at their addresses before"),
                (writer.LateEvents, "{0:N0} events have a later time than recorded: the recording's streams overlap too far"),
            }
        )
        {
            if (count > 0)
                yield return string.Format(CultureInfo.InvariantCulture, text, count);
        }

        if (source.Input.HasRunCsv)
            yield return "the run CSV: name it with the .nettrace (esp-analyze table FILE.nettrace runs.csv) for runs that the trace lacks";
    }

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
