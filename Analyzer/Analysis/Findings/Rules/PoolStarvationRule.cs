using System.Globalization;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Waits;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Programs without marks whose thread pool had work but no free worker: at least as many workers as processors, and all of them, waited in
/// work items for over a twentieth of the wall time, while the pool added workers, which it does only for queued work.
/// </summary>
public sealed class PoolStarvationRule : IFindingRule
{
    private const string Advice =
        "await in work items, or move blocking work to a dedicated thread (TaskCreationOptions.LongRunning); ThreadPool.SetMinThreads only hides it; esp-analyze waits FOLDER --by thread shows the workers";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var items = new List<ListedItem>();
        foreach (var row in input.Result.Rows)
        {
            foreach (var pool in input.Waits?.Pools.Where(pool => pool.Runs == row.Key) ?? [])
            {
                var starved = pool.Starvation(LockScalingRule.Processors(input, row) ?? 1);
                if (starved.Added > 0 && starved.Ms > PoolWaitRule.MinShare * row.WallTotalMs)
                    items.Add(Item(input, row, pool, starved));
            }
        }

        if (items.Count > 0)
            yield return ListedFinding.Hint(
                "pool-starvation",
                FindingConfidence.Likely,
                "work waits for thread-pool threads",
                items,
                Advice
            );
    }

    private static ListedItem Item(FindingInput input, SummaryRow row, PoolTimes pool, in PoolStarvation starved)
    {
        var site = input.Waits!.Sites.FirstOrDefault(site => site.Runs == row.Key && site.IsPool && site.Reason != WaitReason.Idle);
        var where = site is null ? "" : $", mostly for {site.Reason.Name()}{(PoolWaitRule.NameOf(site) is { } name ? $" in {name}" : "")}";
        var run = row.AllRuns.First(run => run.Process == pool.Process);
        var start = run.StartMs + ((starved.LongestStart - run.StartTicks) / pool.TicksPerMs);
        return new ListedItem(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{row.Key} (all workers blocked for {starved.Ms:0} ms{where}; {starved.Added} of {starved.Workers} were added meanwhile)"
            ),
            [
                new FindingEvidence($"time with all pool workers blocked, {row.Key}", starved.Ms, "ms"),
                new FindingEvidence($"workers added meanwhile, {row.Key}", starved.Added, ""),
                new FindingEvidence($"max. workers, {row.Key}", starved.Workers, ""),
            ],
            new FindingLocation(
                pool.Process,
                run.RunId,
                start,
                start + ((starved.LongestStop - starved.LongestStart) / pool.TicksPerMs),
                "longest time with all workers blocked"
            )
        )
        {
            CostMs = starved.Ms,
        };
    }
}
