namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>
/// Threads that wait for the lock under which data contracts are looked up: GetBuiltInDataContract and GetId up to .NET 6. Published: 9.8 % of the time, and 115 requests/s that were 258 without
/// it; in .NET 7 it is gone.
/// </summary>
public sealed class DataContractLockRule : IFindingRule
{
    private const double LargestShare = 0.05;

    private const string Advice =
        "run on .NET 7 or later, where these look-ups take no lock; before, declare members by their own types instead of object or interfaces, so that fewer contracts are looked up";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        if (input.Locks is not { } locks)
            yield break;
        var items = new List<(double Share, ListedItem Item)>();
        foreach (var row in input.Result.Rows)
        {
            var waits = locks.Where(wait => wait.Runs == row.Key && wait.ContractLookupMs > 0).OrderByDescending(wait => wait.ContractLookupMs).ToList();
            var ms = waits.Sum(wait => wait.ContractLookupMs);
            if (ms / (row.WallTotalMs * row.Key.ThreadCount) is not { } share || share <= LargestShare)
                continue;
            var methods = string.Join(" and ", waits.Select(wait => ListedFinding.Name(wait.Method)).OfType<string>().Distinct().Take(2));
            items.Add((share, new ListedItem(
                $"{row.Key} ({FormattableString.Invariant($"{share * 100:0} % of thread time, {waits.Sum(wait => wait.Count)} waits")}{(methods.Length > 0 ? " in " + methods : "")})",
                [new FindingFigure($"share of thread time waiting for contracts, {row.Key}", share * 100, "%"), new FindingFigure($"such waits, {row.Key}", ms, "ms")],
                LockScalingRule.LongestOf(waits[0]))));
        }

        if (items.Count > 0)
            yield return ListedFinding.Hint("datacontract-lock", FindingConfidence.Likely, "threads wait for each other to look up data contracts", [.. items.OrderByDescending(item => item.Share).Select(item => item.Item)], Advice);
    }
}
