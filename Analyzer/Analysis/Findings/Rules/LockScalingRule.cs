using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Rows whose threads wait for locks for more than a tenth of their time. With a row of 1 thread beside it, it is told whether that caps the scaling: speed-up = threads × wall time of
/// 1 thread / wall time, as each thread does the work of the one; of more threads than processors only those with a processor can speed up. Rows that scale all the same are fine.
/// </summary>
public sealed class LockScalingRule : IFindingRule
{
    private const double LargestWaitShare = 0.1;

    /// <summary>Smallest share of the perfect speed-up that is called scaling: half of the work under one lock gives 0.67 on 2 processors, and all of it 0.5.</summary>
    private const double SmallestEfficiency = 0.7;

    /// <summary>More than that is no speed-up: the runs take a fixed time (the scenario contention), and more threads do more in it.</summary>
    private const double LargestEfficiency = 1.5;

    private const string Advice = "esp-analyze locks names them: do less while they are held, or give each thread an instance of its own";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var capped = new List<ListedItem>();
        var waiting = new List<ListedItem>();
        foreach (var row in input.Result.Rows.Where(row => WaitShare(row) > LargestWaitShare).OrderByDescending(WaitShare))
        {
            var single = row.Key.ThreadCount > 1 ? input.Result.Rows.FirstOrDefault(other => other.Key == row.Key with { ThreadCount = 1 }) : null;
            var useful = Math.Min(row.Key.ThreadCount, Processors(input, row) ?? row.Key.ThreadCount);
            var speedUp = row.Key.ThreadCount * single?.WallMedianMs / row.WallMedianMs;
            if (speedUp is null || useful < 2 || speedUp > LargestEfficiency * useful)
                waiting.Add(Item(input, row, null, useful));
            else if (speedUp < SmallestEfficiency * useful)
                capped.Add(Item(input, row, speedUp, useful));
        }

        if (capped.Count > 0)
            yield return ListedFinding.Hint("lock-scaling", FindingConfidence.Likely, "locks keep threads from scaling", capped, Advice);
        if (waiting.Count > 0)
            yield return ListedFinding.Hint("lock-wait", FindingConfidence.Possible, "threads wait for locks for over 10 % of their time", waiting, Advice + "; -threads 1,2 tells whether it keeps them from scaling");
    }

    /// <summary>Time waited for locks / (wall time × threads), 0 to 1 unless threads beside the row's own wait, too; null when it was not recorded.</summary>
    internal static double? WaitShare(SummaryRow row) => row.ContentionMs / (row.WallTotalMs * row.Key.ThreadCount);

    private static ListedItem Item(FindingInput input, SummaryRow row, double? speedUp, int useful)
    {
        var share = WaitShare(row)!.Value;
        var figures = new List<FindingFigure> { new($"share of thread time waiting for locks, {row.Key}", share * 100, "%") };
        if (speedUp is { } known)
            figures.Insert(0, new FindingFigure($"speed-up of {row.Key} ({useful} processors at most)", known, ""));
        var worst = input.Locks?.Where(wait => wait.Runs == row.Key).MaxBy(wait => wait.Ms);
        if (worst is not null)
            figures.Add(new FindingFigure($"waits in {ListedFinding.Name(worst.Method) ?? "methods without a name"}, {row.Key}", worst.Ms, "ms"));
        var scaling = speedUp is { } factor ? FormattableString.Invariant($"{factor:0.00} times as fast with {row.Key.ThreadCount} threads, ") : "";
        return new ListedItem($"{row.Key} ({scaling}{FormattableString.Invariant($"{share * 100:0} % of thread time waits")}{Where(worst)})", figures, LongestOf(worst) ?? FindingPlace.Of(row.AllRuns.Where(run => run.Error.Length == 0).MaxBy(run => run.ContentionMs)!));
    }

    private static string Where(LockRow? wait)
    {
        if (wait is null)
            return "";
        var type = $" for a {wait.Primitive ?? "lock"}";
        var owner = wait.OwnerThread is { } thread ? $" that thread {thread} has" : wait.OwnerThreadId is { } id ? FormattableString.Invariant($" that thread {id} has") : "";
        return ListedFinding.In(wait.Method) + type + owner;
    }

    /// <summary>Where the longest wait of a row of waits lies.</summary>
    internal static FindingPlace? LongestOf(LockRow? wait) =>
        wait?.Longest is { } place ? new FindingPlace(place.Process, place.RunId, place.StartMs, place.StopMs, "longest wait" + ListedFinding.In(wait.Method)) : null;

    /// <summary>Processors that a row's runs could use; null when that was not recorded.</summary>
    internal static int? Processors(FindingInput input, SummaryRow row) =>
        input.Recordings.FirstOrDefault(recording => recording.Label == row.AllRuns[0].Process.Recording)?.Description.Host.LogicalProcessors is > 0 and var processors ? processors : null;
}
