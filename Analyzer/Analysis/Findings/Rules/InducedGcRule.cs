using System.Globalization;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Rows whose runs induce most of their GCs themselves: at least <see cref="MinGcs"/>, or with pauses of over a fifth of their time.
/// </summary>
public sealed class InducedGcRule : IFindingRule
{
    /// <summary>Fewer are typical of a program that calls GC.Collect once, before or after its work.</summary>
    private const int MinGcs = 5;

    private const int MaxCallers = 2;

    private const string Advice =
        "remove the calls of GC.Collect: the runtime schedules GCs when they pay off, and a full GC visits all live objects; esp-analyze gc FOLDER --by stack shows the callers";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var rows = input.Result.Rows.Where(row => IsInduced(input, row)).OrderByDescending(row => row.PausePercent).ToList();
        if (rows.Count > 0)
            yield return ListedFinding.Hint(
                "induced-gc",
                FindingConfidence.Certain,
                "the program induces most of its GCs",
                rows.ConvertAll(row => Item(input, row)),
                Advice
            );
    }

    /// <summary>Whether a row induces most of its GCs; false when GCs were not read.</summary>
    internal static bool IsInduced(FindingInput input, SummaryRow row)
    {
        var (all, induced) = Gcs(input, row);
        return 2 * induced.Count > all && (induced.Count >= MinGcs || row.PausePercent > PauseShareRule.MaxPercent);
    }

    private static (int All, List<GcRow> Induced) Gcs(FindingInput input, SummaryRow row)
    {
        var gcs =
            input
                .Gcs?.AllRows.Where(gc =>
                    gc.Run is { Error.Length: 0, Identity.Kind: RunKind.Measured } run && SummaryKey.Of(run) == row.Key
                )
                .ToList()
            ?? [];
        return (gcs.Count, [.. gcs.Where(gc => gc.IsInduced).OrderByDescending(gc => gc.PauseInRunsMs)]);
    }

    private static ListedItem Item(FindingInput input, SummaryRow row)
    {
        var (all, induced) = Gcs(input, row);
        var pauseMs = induced.Sum(gc => gc.PauseInRunsMs);
        var callers = Callers(input, row.Key);
        var worst = induced[0];
        List<string> parts =
        [
            string.Create(CultureInfo.InvariantCulture, $"{induced.Count} of {all}"),
            string.Create(CultureInfo.InvariantCulture, $"{pauseMs:0} ms of pauses"),
            .. callers.Count > 0 ? [$"by {string.Join(" and ", callers)}"] : Array.Empty<string>(),
            .. ListedFinding.Allocates(input, row.Key),
        ];
        return new ListedItem(
            $"{row.Key} ({string.Join(", ", parts)})",
            [
                new FindingEvidence($"induced all GCs in {row.Key}", induced.Count, ""),
                new FindingEvidence($"GCs in {row.Key}", all, ""),
                new FindingEvidence($"pauses of induced GCs, {row.Key}", pauseMs, "ms"),
            ],
            new FindingLocation(
                worst.Process,
                worst.Run!.RunId,
                worst.StartMs,
                worst.StartMs + worst.PauseMs,
                string.Create(CultureInfo.InvariantCulture, $"GC {worst.Number}, generation {worst.Generation}, {worst.Reason}")
            )
        )
        {
            CostMs = pauseMs,
        };
    }

    /// <summary>The program's own methods that induce GCs, else the callers of GC.Collect; most frequent first.</summary>
    private static List<string> Callers(FindingInput input, SummaryKey row) =>
        input
            .Gcs!.Triggers?.AllRows.Where(trigger => trigger.Runs == row && GcRow.IsInducedBy(trigger.Reason))
            .GroupBy(trigger => ListedFinding.Name(trigger.Own ?? trigger.Method))
            .Where(group => group.Key is not null)
            .OrderByDescending(group => group.Sum(trigger => trigger.Count))
            .Take(MaxCallers)
            .Select(group => group.Key!)
            .ToList()
        ?? [];
}
