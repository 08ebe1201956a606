using System.Globalization;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Work items of a program without marks that wait for tasks or sleep, for over a twentieth of its wall time: the pool has few threads, and
/// each wait takes one from other work.
/// </summary>
public sealed class PoolWaitRule : IFindingRule
{
    /// <summary>Minimum share of the waits in the program's wall time.</summary>
    internal const double MinShare = 0.05;

    private const string Stacks = "esp-analyze waits FOLDER --by stack shows the callers";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        if (Items(input, WaitReason.Task) is { Count: > 0 } tasks)
        {
            yield return ListedFinding.Hint(
                "sync-over-async",
                FindingConfidence.Certain,
                "thread-pool threads wait for tasks",
                tasks,
                $"await the task instead of Wait, Result or GetAwaiter().GetResult(), up to an async caller, so that the thread can do other work meanwhile; {Stacks}"
            );
        }

        if (Items(input, WaitReason.Sleep) is { Count: > 0 } sleeps)
            yield return ListedFinding.Hint(
                "pool-sleep",
                FindingConfidence.Certain,
                "thread-pool threads sleep",
                sleeps,
                $"await Task.Delay, or better the event that the sleep waits for, so that the thread can do other work meanwhile; {Stacks}"
            );
    }

    private static List<ListedItem> Items(FindingInput input, WaitReason reason) =>
        [
            .. input
                .Result.Rows.Select(row =>
                    (
                        Row: row,
                        Sites: input.Waits?.Sites.Where(site => site.Runs == row.Key && site.Reason == reason && site.IsPool).ToList() ?? []
                    )
                )
                .Where(item => item.Sites.Sum(site => site.Ms) > MinShare * item.Row.WallTotalMs)
                .OrderByDescending(item => item.Sites.Sum(site => site.Ms))
                .Select(item => Item(item.Row, item.Sites)),
        ];

    private static ListedItem Item(SummaryRow row, List<WaitRow> sites)
    {
        var (ms, worst) = (sites.Sum(site => site.Ms), sites[0]);
        var share = worst.Ms < 0.99 * ms ? string.Create(CultureInfo.InvariantCulture, $"{ms:0} ms, ") : "";
        return new ListedItem(
            $"{row.Key} ({share}{Of(worst)})",
            [
                new FindingEvidence($"waits of work items, {row.Key}", ms, "ms"),
                .. sites.Select(site => new FindingEvidence(
                    $"waits in {NameOf(site) ?? "methods without a name"}, {row.Key}",
                    site.Ms,
                    "ms"
                )),
            ],
            worst.Longest is { } at
                ? new FindingLocation(
                    at.Process,
                    at.RunId,
                    at.StartMs,
                    at.StopMs,
                    $"longest wait in {NameOf(worst) ?? "a method without a name"}"
                )
                : null
        )
        {
            CostMs = ms,
        };
    }

    /// <summary>Describes a wait site.</summary>
    internal static string Of(WaitRow site) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{site.Ms:0} ms of {Plural.Of(site.Threads, "thread")}{(NameOf(site) is { } name ? $" in {name}" : "")}"
        );

    /// <summary>The program's own method of a wait site, else the waiting method.</summary>
    internal static string? NameOf(WaitRow site) => ListedFinding.Name(site.Own ?? site.Method);
}
