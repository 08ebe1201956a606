using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Full GCs because of large objects (85,000 bytes and more), which only generation 2 collects: rows with at least one in every second run.
/// A stream that doubles its buffer causes this.
/// </summary>
public sealed class LargeObjectRule : IFindingRule
{
    private const int MinGcs = 3;
    private const double MinPerRun = 0.5;
    private const string Remedy =
        "rent large buffers (ArrayPool, a pooled stream), create streams with their final capacity, or write directly to the target stream";
    private const string Shows = "esp-analyze alloc FOLDER --by own shows who allocates them";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        if (input.Gcs is not { } gcs)
            yield break;
        var byRow = gcs
            .AllRows.Where(gc => IsForLargeObjects(gc) && gc.Run is { Error.Length: 0, Identity.Kind: RunKind.Measured })
            .ToLookup(gc => SummaryKey.Of(gc.Run!));
        var rows = input
            .Result.Rows.Where(row => byRow[row.Key].Count() >= Math.Max(MinGcs, MinPerRun * row.Runs))
            .OrderByDescending(row => byRow[row.Key].Sum(gc => gc.PauseInRunsMs))
            .ToList();
        if (rows.Count == 0)
            yield break;
        var advice = $"{Remedy}; {(input.Allocations is null ? "after esp-record --alloc, " : "")}{Shows}";
        var named = string.Join(
            ", ",
            rows.Take(3).Select(row => $"{row.Key} ({string.Join(", ", Parts(input, row, byRow[row.Key].Count()))})")
        );
        yield return new Finding(
            FindingKind.Hint,
            "loh-churn",
            $"large objects cause full GCs: {named}{(rows.Count > 3 ? $" and {rows.Count - 3} more {(rows.Count == 4 ? "row" : "rows")}" : "")}; {advice}"
        )
        {
            Advice = advice,
            CostMs = rows.Sum(row => byRow[row.Key].Sum(gc => gc.PauseInRunsMs)),
            Evidence =
            [
                .. rows.Select(row => new FindingEvidence(
                    $"{row.Key}: full GCs for large objects, per run",
                    (double)byRow[row.Key].Count() / row.Runs,
                    ""
                )),
                .. rows.Select(row => new FindingEvidence(
                    $"{row.Key}: their pauses, per run",
                    byRow[row.Key].Sum(gc => gc.PauseInRunsMs) / row.Runs,
                    "ms"
                )),
                .. rows.Select(row => (row.Key, Percent: LargePercent(input, row.Key)))
                    .Where(row => row.Percent is not null)
                    .Select(row => new FindingEvidence($"{row.Key}: large objects as a share of allocated bytes", row.Percent!.Value, "%")),
            ],
            Locations =
            [
                .. rows.SelectMany(row => byRow[row.Key])
                    .OrderByDescending(gc => gc.PauseMs)
                    .Select(gc => new FindingLocation(
                        gc.Process,
                        gc.Run!.RunId,
                        gc.StartMs,
                        gc.StartMs + gc.PauseMs,
                        $"GC {gc.Number} ({gc.Kind}, {gc.Reason}) in {SummaryKey.Of(gc.Run)}"
                    )),
            ],
        };
    }

    private static IEnumerable<string> Parts(FindingInput input, SummaryRow row, int gcs)
    {
        yield return FormattableString.Invariant($"{gcs} in {Plural.Of(row.Runs, "run")}");
        var causes =
            input.Gcs!.Triggers?.AllRows.Where(trigger =>
                trigger.Runs == row.Key && IsForLargeObjects(trigger.Generation, trigger.Reason) && trigger.Own is not null
            )
            ?? [];
        if (
            causes.GroupBy(trigger => ListedFinding.Name(trigger.Own)).MaxBy(group => group.Sum(trigger => trigger.Count))?.Key is
            { } method
        )
            yield return $"most by {method}";
        foreach (var shares in ListedFinding.Allocates(input, row.Key, AllocationKind.Large))
            yield return shares;
    }

    private static bool IsForLargeObjects(GcRow gc) => IsForLargeObjects(gc.Generation, gc.Reason);

    private static bool IsForLargeObjects(int generation, GcReason reason) =>
        generation >= 2 && reason is GcReason.AllocLarge or GcReason.OutOfSpaceLarge or GcReason.BackgroundTuningLarge;

    /// <summary>Share of large objects in what a row's runs allocated, in %; null when allocations were not recorded.</summary>
    private static double? LargePercent(FindingInput input, SummaryKey row)
    {
        var own = input.Allocations?.AllRows.Where(allocation => allocation.Runs == row).ToList();
        return own is { Count: > 0 }
            ? 100
                * own.Where(allocation => allocation.Heap == AllocationKind.Large).Sum(allocation => allocation.Bytes)
                / Math.Max(own.Sum(allocation => allocation.Bytes), double.Epsilon)
            : null;
    }
}
