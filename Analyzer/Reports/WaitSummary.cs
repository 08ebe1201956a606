using System.Globalization;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports;

/// <summary>Lines on a program's threads in its summary: their CPU time and the reasons of their waits.</summary>
internal static partial class WaitSummary
{
    private const int PartsShown = 5;

    /// <summary>Returns the two lines.</summary>
    /// <param name="runs">The program's row in the table.</param>
    /// <param name="waits">Its waits; null when they were not recorded.</param>
    public static IEnumerable<string> Lines(SummaryKey runs, WaitResult? waits)
    {
        var threads = waits?.Threads.AllRows.Where(thread => thread.Runs == runs).ToList() ?? [];
        var onCpuMs = threads.Sum(thread => thread.OnCpuMs);
        yield return "CPU time by thread group: "
            + (
                onCpuMs == 0 ? Column<WaitRow>.NotRecorded
                : threads.TrueForAll(thread => thread.Name.Length == 0) ? $"thread names {Column<WaitRow>.NotRecorded}"
                : Parts(threads.GroupBy(thread => Folded(thread.Name)), onCpuMs)
            );

        var reasons = waits?.Reasons.Where(reason => reason.Runs == runs).ToList();
        yield return "Waits by reason: " + (reasons is null ? Column<WaitRow>.NotRecorded : Reasons(reasons, waits!.Gap));
    }

    /// <summary>A thread's name with its digits replaced: <c>worker-#</c> for worker-1 and worker-2.</summary>
    private static string Folded(string name) => name.Length == 0 ? "(no name)" : Digits().Replace(name, "#");

    private static string Parts(IEnumerable<IGrouping<string, ThreadTimeRow>> groups, double all) =>
        string.Join(
            ", ",
            groups
                .OrderByDescending(group => group.Sum(thread => thread.OnCpuMs))
                .Take(PartsShown)
                .Where(group => group.Sum(thread => thread.OnCpuMs) >= 0.005 * all)
                .Select(group =>
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{group.Key}{(group.Count() > 1 ? $" ({group.Count()})" : "")} {100 * group.Sum(thread => thread.OnCpuMs) / all:0} %"
                    )
                )
        );

    private static string Reasons(List<WaitRow> reasons, WaitGap gap)
    {
        var (busy, idle) = (
            reasons.FindAll(reason => reason.Reason != WaitReason.Idle),
            reasons.Where(reason => reason.Reason == WaitReason.Idle).Sum(reason => reason.Ms)
        );
        var all = busy.Sum(reason => reason.Ms);
        var parts = busy.Where(reason => reason.Reason != WaitReason.Unknown)
            .Take(PartsShown)
            .Concat(busy.Where(reason => reason.Reason == WaitReason.Unknown))
            .Where(reason => reason.Ms >= 0.005 * all)
            .Select(reason => Of(reason, gap))
            .ToList();
        return (parts.Count > 0 ? string.Join(", ", parts) : "none")
            + (idle > 0 ? $"; {Seconds(idle)} idle" : "")
            + gap switch
            {
                WaitGap.Switches => NotRecorded("sleep and I/O"),
                WaitGap.SwitchesExceptSleeps => NotRecorded("I/O"),
                _ => "",
            };
    }

    private static string NotRecorded(string waits) =>
        $"; {waits} {Column<WaitRow>.NotRecorded}: no context switches (see esp-record doctor)";

    private static string Of(WaitRow reason, WaitGap gap)
    {
        if (reason is { Reason: WaitReason.Unknown, Method: null } && gap == WaitGap.Stacks)
            return $"{Column<WaitRow>.NotRecorded} {Seconds(reason.Ms)} ({Plural.Of(reason.Threads, "thread")}, no stacks of context switches: see esp-record doctor)";
        var method =
            (reason.Own ?? reason.Method) is { } place && !place.Name.EndsWith("+?", StringComparison.Ordinal)
                ? $", mostly in {ShortTexts.Method(place.InSource, ProgramSummary.MaxNameLength)}"
                : "";
        return $"{reason.Reason.Name()} {Seconds(reason.Ms)} ({Plural.Of(reason.Threads, "thread")}{method})";
    }

    private static string Seconds(double ms) => string.Create(CultureInfo.InvariantCulture, $"{ms / 1e3:0.00} s");

    [GeneratedRegex(@"\d+")]
    private static partial Regex Digits();
}
