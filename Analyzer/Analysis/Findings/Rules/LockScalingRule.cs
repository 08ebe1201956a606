using System.Globalization;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Rows whose threads wait for locks for more than a tenth of their time, summed over all waiting threads. With a row of 1 thread for
/// comparison, it shows whether that limits scaling: speed-up = threads × wall time of 1 thread / wall time, because each thread does the
/// same work; with more threads than processors, only as many as there are processors can speed up. Rows that scale anyway are omitted. A
/// program without marks does not report its number of working threads, so waits of a tenth of its wall time count, if they are a fiftieth
/// of the waiting threads' time: many threads that wait a little each are not worth a reader's time.
/// </summary>
public sealed class LockScalingRule : IFindingRule
{
    private const double MaxWaitShare = 0.1;

    /// <summary>Minimum share of the waiting threads' time, of a program without marks.</summary>
    private const double MinThreadShare = 0.02;

    /// <summary>
    /// Minimum share of the perfect speed-up that counts as scaling: half of the work under one lock gives 0.67 on 2 processors, and all of
    /// it 0.5.
    /// </summary>
    private const double MinEfficiency = 0.7;

    /// <summary>
    /// A larger value is not speed-up: the runs take a fixed time (the scenario contention), in which more threads do more.
    /// </summary>
    private const double MaxEfficiency = 1.5;

    /// <summary>Minimum share of the waits on one owner thread for the finding to name it.</summary>
    private const double MinOwnerShare = 0.75;

    /// <summary>Minimum share of that time in one method of the owner for the finding to name it, in %.</summary>
    private const double MinMethodPercent = 50;

    private const string Advice =
        "esp-analyze locks FOLDER --by method shows where: do less while holding the lock, or give each thread its own instance";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var capped = new List<ListedItem>();
        var waiting = new List<ListedItem>();
        var unmarked = new List<ListedItem>();
        foreach (var row in input.Result.Rows.Where(row => WaitShare(row) > MaxWaitShare).OrderByDescending(WaitShare))
        {
            var single =
                row.Key.ThreadCount > 1 ? input.Result.Rows.FirstOrDefault(other => other.Key == row.Key with { ThreadCount = 1 }) : null;
            var useful = Math.Min(row.Key.ThreadCount, Processors(input, row) ?? row.Key.ThreadCount);
            var speedUp = row.Key.ThreadCount * single?.WallMedianMs / row.WallMedianMs;
            if (row.AllRuns.All(run => run.Delimiter == RunDelimiter.WholeProcess))
            {
                if (ThreadShare(input, row) is not < MinThreadShare)
                    unmarked.Add(Item(input, row, null, useful));
            }
            else if (speedUp is null || useful < 2 || speedUp > MaxEfficiency * useful)
                waiting.Add(Item(input, row, null, useful));
            else if (speedUp < MinEfficiency * useful)
                capped.Add(Item(input, row, speedUp, useful));
        }

        if (unmarked.Count > 0)
            yield return ListedFinding.Hint("lock-wait", FindingConfidence.Certain, "threads wait for locks", unmarked, Advice);
        if (capped.Count > 0)
            yield return ListedFinding.Hint("lock-scaling", FindingConfidence.Likely, "locks limit scaling over threads", capped, Advice);
        if (waiting.Count > 0)
            yield return ListedFinding.Hint(
                "lock-wait",
                FindingConfidence.Possible,
                "threads wait for locks for over 10 % of their time",
                waiting,
                Advice + "; -threads 1,2 shows whether they limit scaling"
            );
    }

    /// <summary>
    /// Time waited for locks / (wall time × threads), 0 to 1 unless threads besides the row's own wait, too; null when not recorded.
    /// </summary>
    private static double? WaitShare(SummaryRow row) => row.ContentionMs / (row.WallTotalMs * row.Key.ThreadCount);

    /// <summary>
    /// The same of the time of all threads that wait, where threads beside the row's own do: 0 to 1. Null when these were not read.
    /// </summary>
    private static double? ThreadShare(FindingInput input, SummaryRow row) =>
        input.Locks is { } locks
            ? row.ContentionMs / Math.Max(row.WallTotalMs!.Value * row.Key.ThreadCount, locks.WaiterMs.GetValueOrDefault(row.Key))
            : null;

    private static ListedItem Item(FindingInput input, SummaryRow row, double? speedUp, int useful)
    {
        var waitedMs = row.ContentionMs!.Value;
        var share = ThreadShare(input, row);
        var site = input.Locks?.Sites.AllRows.FirstOrDefault(site => site.Runs == row.Key);
        var parts = new List<string>();
        var evidence = new List<FindingEvidence>();
        if (speedUp is { } factor)
        {
            parts.Add(Line($"{factor:0.00} times as fast with {Plural.Of(row.Key.ThreadCount, "thread")}"));
            evidence.Add(new FindingEvidence($"speed-up of {row.Key} ({useful} processors at most)", factor, ""));
        }

        parts.Add(
            share is { } part ? Line($"{part * 100:0} % of thread time waits") : Line($"{waitedMs:0} ms of waits summed over threads")
        );
        evidence.Add(
            share is { } known
                ? new FindingEvidence($"share of thread time waiting for locks, {row.Key}", known * 100, "%")
                : new FindingEvidence($"time waiting for locks summed over threads, {row.Key}", waitedMs, "ms")
        );
        if (site is not null)
        {
            parts.Add(Line($"{site.Ms:0} ms of {Plural.Of(site.Threads, "thread")}{Where(site, input.Locks!)}"));
            evidence.Add(
                new FindingEvidence($"waits in {ListedFinding.Name(site.Method) ?? "methods without a name"}, {row.Key}", site.Ms, "ms")
            );
        }

        return new ListedItem(
            $"{row.Key} ({string.Join(", ", parts)})",
            evidence,
            LocationOf(site?.Longest, site?.Method)
                ?? FindingLocation.Of(row.AllRuns.Where(run => run.Error.Length == 0).MaxBy(run => run.ContentionMs)!)
        )
        {
            CostMs = waitedMs,
        };
    }

    private static string Where(LockSiteRow site, LockResult locks)
    {
        var caller = ListedFinding.Name(site.Caller) is { } name ? $" below {name}" : "";
        var owner = Owner(site, locks);
        return ListedFinding.In(site.Method) + caller + $" for a {site.Primitive ?? "lock"}" + owner + Meanwhile(site, owner.Length > 0);
    }

    /// <summary>What the owner did while others waited, if it spent most of that time in one method.</summary>
    private static string Meanwhile(LockSiteRow site, bool isOneOwner) =>
        site.OwnerPercent is >= MinMethodPercent and var percent
            ? Line(
                $", {(isOneOwner ? "which" : "whose owner")} spends {percent:0} % of that time in {ListedFinding.Name(site.OwnerMethod)}"
            )
            : "";

    /// <summary>The thread that owned the lock when most of the waits began; none when several threads do.</summary>
    private static string Owner(LockSiteRow site, LockResult locks)
    {
        var owner = locks
            .AllRows.Where(wait => wait.Runs == site.Runs && wait.Method == site.Method && wait.OwnerThreadId is not null)
            .GroupBy(wait => (wait.ProcessId, wait.OwnerThreadId, wait.OwnerThread))
            .FirstOrDefault(group => group.Sum(wait => wait.Ms) > MinOwnerShare * site.Ms)
            ?.Key;
        return owner is { } known ? $" owned by thread {known.OwnerThread ?? Line($"{known.OwnerThreadId}")}" : "";
    }

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    /// <summary>Location of the longest wait of a row.</summary>
    internal static FindingLocation? LongestOf(LockRow wait) => LocationOf(wait.Longest, wait.Method);

    private static FindingLocation? LocationOf(EventInterval? longest, MethodName? method) =>
        longest is { } at
            ? new FindingLocation(at.Process, at.RunId, at.StartMs, at.StopMs, "longest wait" + ListedFinding.In(method))
            : null;

    /// <summary>Number of processors available to a row's runs; null when not recorded.</summary>
    internal static int? Processors(FindingInput input, SummaryRow row) =>
        input
            .Recordings.FirstOrDefault(recording => recording.Label == row.AllRuns[0].Process.Recording)
            ?.Description.Host.LogicalProcessors
            is > 0
                and var processors
            ? processors
            : null;
}
