using System.Globalization;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>Rows of table <c>loss</c>: the losses of a trace.</summary>
internal static class LossRows
{
    /// <summary>Creates the rows, numbered from 1.</summary>
    public static IEnumerable<StoredLoss> Of(ExtractedTrace trace) =>
        Unnumbered(trace).Select((loss, index) => loss with { Number = index + 1 });

    private static IEnumerable<StoredLoss> Unnumbered(ExtractedTrace trace)
    {
        var result = trace.Result;
        foreach (var facts in result.Recordings.Where(facts => facts.LostEvents > 0))
            yield return Loss("lost-events", "{0} events were lost during recording", facts.Label, facts.LostEvents);
        foreach (var process in result.Processes.Where(process => process.MissingRunIds.Count > 0))
            yield return Loss(
                "missing-runs",
                "{0} of " + Text(process.Expected ?? process.Found) + $" runs of process {Text(process.ProcessId)} are not in the trace",
                process.Process.Recording,
                process.MissingRunIds.Count
            );
        foreach (var recording in result.Runs.Where(run => run.Samples is not null).GroupBy(run => run.Process.Recording))
        {
            if (recording.Sum(run => run.Samples!.BrokenStacks) is > 0 and var broken)
                yield return Loss(
                    "broken-stacks",
                    "{0} of "
                        + Text(recording.Sum(run => run.Samples!.Count))
                        + " CPU samples in runs have stacks that do not reach the start of their thread",
                    recording.Key,
                    broken
                );
        }

        foreach (var damage in result.Damages)
            yield return Loss("damage", damage.Reason, "", null) with
            {
                File = damage.File,
                Offset = damage.Offset,
                FileBytes = damage.FileBytes,
            };
        foreach (var problem in result.InputProblems)
            yield return Loss("problem", problem, "", null);
        foreach (var process in result.UnmarkedProcesses)
            yield return Loss("unmarked-process", process, "", null);
        foreach (var kind in trace.HasEvents ? trace.Read.NotRecorded : [])
            yield return Loss("not-recorded", kind, "", null);
    }

    private static StoredLoss Loss(string kind, string text, string label, long? count) =>
        new()
        {
            Number = 0,
            Kind = kind,
            Label = label,
            Count = count,
            Text = count is { } known ? text.Replace("{0}", Text(known), StringComparison.Ordinal) : text,
        };

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
