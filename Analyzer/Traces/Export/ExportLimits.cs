using System.Globalization;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>Says what an exported trace does not have.</summary>
internal static class ExportLimits
{
    private const string LabelsLeftOut = "labels of {0:N0} events are left out (trace and span ids, names and values): 'esp-analyze events' shows them in the trace";

    public static IReadOnlyList<string> Of(ExportCounts counts, TraceInput input, RecordedThreads threads, bool hasKernelSession)
    {
        var isRecording = input.Recordings.Count > 0;
        var all = input.Processes.Aggregate(EventKinds.None, (seen, process) => seen | process.Kinds);
        hasKernelSession &= input.Processes.Any(process => (process.Kinds & EventKinds.ContextSwitches) != 0 || (process.Details & EventDetails.ManagedSamples) == 0);
        var list = new List<string>();
        if (!hasKernelSession)
            list.Add("no kernel session was recorded: there are no CPU samples, context switches, images and names of threads");
        else if ((all & EventKinds.ContextSwitches) == 0)
            list.Add("no context switches were recorded: there is CPU time by samples only");
        else if (!isRecording)
            list.Add($"the other side of a context switch is the process '{PseudoThreads.Name}': the trace has one thread for each");
        else if ((all & EventKinds.OtherProcesses) == 0)
            list.Add($"only the recorded processes are in it (no --system-wide): the other side of a context switch is the process '{PseudoThreads.Name}'");
        if (hasKernelSession && (all & EventKinds.ContextSwitches) != 0 && (all & (EventKinds.SwitchOutStacks | EventKinds.SwitchInStacks)) == 0)
            list.Add(isRecording ? "context switches have no stacks: they need root or CAP_PERFMON when recording" : "context switches have no stacks: they were not recorded");
        if (hasKernelSession && input.Processes.All(process => (process.Details & EventDetails.KernelSamples) == 0))
            list.Add("there are no samples in kernel mode: they need root or CAP_PERFMON when recording");
        if (hasKernelSession && threads.SampleInterval % 100 != 0)
            list.Add(Invariant($"the sampling interval of {threads.SampleInterval} ns is {threads.SampleInterval / 100 * 100} ns in it: Windows counts in 100 ns"));
        if (input.SampleProfilerNote.Length > 0)
            list.Add("samples of EventPipe's sample profiler are left out: an .etl has samples of processors");
        if (threads.HasOtherIntervals)
            list.Add("samples stand for different times, in it all for one interval");
        Add(counts.RepeatedEvents, "{0:N0} events that two sessions of a process recorded are in it once");
        Add(counts.LabelsLeftOut, LabelsLeftOut);
        Add(counts.TooLarge, "{0:N0} events are left out: they are larger than 64 KB, the largest record of an .etl");
        Add(counts.StacksTooLarge, "{0:N0} events have no stack: event and stack together are larger than 64 KB");
        Add(counts.Undecodable, "{0:N0} records of the kernel session are left out: they are damaged");
        Add(counts.StacksWithoutReturn, "{0:N0} stacks of context switches are left out: their threads did not come back to a processor, where Windows logs them");
        Add(counts.AmbiguousAddresses, "{0:N0} frames may have a wrong name: other code lay at their addresses before");
        if (input.HasRunCsv)
            list.Add("the run CSV: name it beside the .etl (esp-analyze table FILE.etl runs.csv) for runs that the trace does not hold");
        return list;

        void Add(long count, string text)
        {
            if (count > 0)
                list.Add(string.Format(CultureInfo.InvariantCulture, text, count));
        }
    }

    /// <summary>What a .nettrace file does not have.</summary>
    public static IEnumerable<string> OfNetTrace(ExportSource source, NetTraceEventWriter writer)
    {
        var counts = source.Counts;
        if (!source.HasKernelEvents)
            yield return "no kernel session was recorded: there are no CPU samples, context switches and mapped files";
        if (source.HasKernelEvents && counts.Switches == 0)
            yield return "no context switches were recorded: thread time views have CPU time only";
        if (source.Threads.HasOtherIntervals)
            yield return Invariant($"samples stand for different times, in it all for their mean, {source.Threads.SampleInterval} ns");
        foreach (var (count, text) in new[]
        {
            (counts.RepeatedEvents, "{0:N0} events that two sessions of a process recorded are in it once"),
            (counts.LabelsLeftOut, LabelsLeftOut),
            (counts.TooLarge, "{0:N0} events are left out: their payload is larger than 64 KB, which TraceEvent does not read"),
            (writer.CutStacks, "{0:N0} stacks are cut: their frames are more than TraceEvent reads"),
            (counts.Undecodable, "{0:N0} records of the kernel session are left out: they are damaged"),
            (counts.StacksWithoutReturn, "{0:N0} stacks of context switches are left out: their threads did not come back to a processor"),
            (counts.AmbiguousAddresses, "{0:N0} frames may have a wrong name: other code lay at their addresses before"),
            (writer.LateEvents, "{0:N0} events have a later time than recorded: the recording's streams overlap too far"),
        })
        {
            if (count > 0)
                yield return string.Format(CultureInfo.InvariantCulture, text, count);
        }

        if (source.Input.HasRunCsv)
            yield return "the run CSV: name it beside the .nettrace (esp-analyze table FILE.nettrace runs.csv) for runs that the trace does not hold";
    }

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
