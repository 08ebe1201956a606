using System.Globalization;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// GCs of generation 1 or 2 that stopped the program for over a second, and the GC functions that took the time. The known issue of .NET
/// Framework 4.6 is generation 1 in allocate_in_older_generation, which searches the free list of generation 2 for space.
/// </summary>
public sealed class LongPauseRule : IFindingRule
{
    private const string KnownIssueFunction = "allocate_in_older_generation";

    /// <summary>Minimum share of the pauses' samples in that function, in %.</summary>
    private const double KnownIssuePercent = 25;

    /// <summary>Maximum number of functions in the evidence.</summary>
    private const int MaxFunctions = 5;
    private const string FrameworkRuntime = "clr.dll";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        if (input.Gcs is not { } gcs)
            return [];
        return gcs
            .AllRows.Where(LongPause.IsLong)
            .GroupBy(gc => (gc.Generation, gc.Runtime))
            .OrderBy(group => group.Key)
            .Select(group => Describe(group.Key.Generation, group.Key.Runtime, [.. group.OrderByDescending(gc => gc.PauseMs)], input));
    }

    private static Finding Describe(int generation, string runtime, List<GcRow> gcs, FindingInput input)
    {
        var pauses = input.LongPauses?.Where(pause => gcs.Contains(pause.Gc) && pause.Samples > 0).ToList() ?? [];
        var samples = pauses.Sum(pause => pause.Samples ?? 0);
        var functions = pauses
            .SelectMany(pause => pause.Methods)
            .GroupBy(method => (method.Name, method.Module))
            .Select(group => new LongPauseMethod(
                group.Key.Name,
                group.Key.Module,
                group.Sum(method => method.Samples),
                group.Sum(method => method.InclusiveSamples)
            ))
            .ToList();
        var searching = functions
            .Where(function => function.Name.Contains(KnownIssueFunction, StringComparison.Ordinal))
            .MaxBy(function => function.InclusiveSamples);
        var isKnownIssue = generation == 1 && searching is not null && Percent(searching.InclusiveSamples) > KnownIssuePercent;
        var isFramework = functions.Exists(function => function.Module.Equals(FrameworkRuntime, StringComparison.OrdinalIgnoreCase));
        var hottest = functions.MaxBy(function => function.Samples);
        var where =
            isKnownIssue ? Line($"; {Percent(searching!.InclusiveSamples):0} % of the GC's samples are in {searching.Name}")
            : hottest is not null ? Line($"; {Percent(hottest.Samples):0} % of the GC's samples are in {hottest.Name} itself")
            : "";
        var advice =
            isKnownIssue && isFramework
                ? "this is a known issue of .NET Framework 4.6, fixed in 4.6.1: update the framework; until then keep the process under 2 GB"
            : isKnownIssue
                ? "the GC searches the free list of generation 2 for space: keep fewer and larger objects alive, or compact once (GCSettings.LargeObjectHeapCompactionMode, GC.Collect)"
            : "check what survives (esp-analyze gc: promoted bytes); keep less alive during a run, leave concurrent GC on, or use server GC";
        return new Finding(
            FindingKind.Hint,
            "long-pause",
            Line(
                $"{(runtime.Length > 0 ? runtime + ": " : "")}{Plural.Of(gcs.Count, "GC")} of generation {generation} stopped the program for over a second, at most {gcs[0].PauseMs / 1e3:0.0} s{where}; {advice}"
            )
        )
        {
            Confidence = isKnownIssue && isFramework ? FindingConfidence.Likely : FindingConfidence.Certain,
            Advice = advice,
            CostMs = gcs.Sum(gc => gc.PauseMs),
            Evidence =
            [
                new FindingEvidence($"GCs of generation {generation} over a second", gcs.Count, ""),
                new FindingEvidence("longest pause", gcs[0].PauseMs, "ms"),
                new FindingEvidence("sum of these pauses", gcs.Sum(gc => gc.PauseMs), "ms"),
                .. samples > 0 ? (FindingEvidence[])[new FindingEvidence("CPU samples of the GC in them", samples, "")] : [],
                .. functions
                    .Where(function => function.Name.Contains("gc_heap::", StringComparison.Ordinal))
                    .OrderByDescending(function => function.InclusiveSamples)
                    .Take(MaxFunctions)
                    .Select(function => new FindingEvidence($"in {function.Name}, inclusive", Percent(function.InclusiveSamples), "%")),
                .. functions
                    .Where(function => function.Samples > 0)
                    .OrderByDescending(function => function.Samples)
                    .Take(MaxFunctions)
                    .Select(function => new FindingEvidence($"in {function.Name} itself", Percent(function.Samples), "%")),
            ],
            Locations =
            [
                .. gcs.Select(gc => new FindingLocation(
                    gc.Process,
                    gc.Run?.RunId,
                    gc.StartMs,
                    gc.StartMs + gc.PauseMs,
                    Line($"GC {gc.Number}, generation {gc.Generation}, {gc.Reason}")
                )),
            ],
        };

        double Percent(long count) => 100.0 * count / Math.Max(samples, 1);
    }

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
