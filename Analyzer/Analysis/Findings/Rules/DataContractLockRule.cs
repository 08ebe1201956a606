using System.Globalization;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Threads that wait for the lock of data contract look-ups, in GetBuiltInDataContract and GetId. Published: 9.8 % of the time and 115
/// requests/s at 8 threads, and 0.3 % and 258 requests/s with the change in .NET 7. The change did not remove it: a recording of .NET 10
/// waits in GetBuiltInDataContract for 16 % of the time of 8 threads on 2 processors. With more threads than processors, the lock's owner
/// may have lost its processor, so the conclusion is only possible.
/// </summary>
public sealed class DataContractLockRule : IFindingRule
{
    private const double MaxShare = 0.05;

    /// <summary>First version of .NET with the change.</summary>
    private const int Changed = 7;

    private const string Core = ".NET ";

    private const string Upgrade = "run on .NET 7 or later, which takes this lock far less often, and ";

    private const string Advice =
        "declare members by their own types instead of object or interfaces, so that fewer contracts are looked up";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        if (input.Locks?.AllRows is not { } locks)
            yield break;
        var found = new List<(SummaryRow Row, double Share, ListedItem Item)>();
        foreach (var row in input.Result.Rows)
        {
            var waits = locks
                .Where(wait => wait.Runs == row.Key && wait.ContractLookupMs > 0)
                .OrderByDescending(wait => wait.ContractLookupMs)
                .ToList();
            if (waits.Sum(wait => wait.ContractLookupMs) / (row.WallTotalMs * row.Key.ThreadCount) is { } share && share > MaxShare)
                found.Add((row, share, Item(row, share, waits)));
        }

        if (found.Count == 0)
            yield break;
        var confidence = found.Any(item =>
            LockScalingRule.Processors(input, item.Row) is not { } processors || item.Row.Key.ThreadCount <= processors
        )
            ? FindingConfidence.Likely
            : FindingConfidence.Possible;
        yield return ListedFinding.Hint(
            "datacontract-lock",
            confidence,
            "threads wait for each other to look up data contracts",
            [.. found.OrderByDescending(item => item.Share).Select(item => item.Item)],
            found.All(item => IsChanged(item.Row.Runtime)) ? Advice : Upgrade + Advice
        );
    }

    private static ListedItem Item(SummaryRow row, double share, List<LockRow> waits)
    {
        var methods = string.Join(" and ", waits.Select(wait => ListedFinding.Name(wait.Method)).OfType<string>().Distinct().Take(2));
        return new ListedItem(
            $"{row.Key} ({FormattableString.Invariant($"{share * 100:0} % of thread time, {waits.Sum(wait => wait.Count)} waits")}{(methods.Length > 0 ? " in " + methods : "")})",
            [
                new FindingEvidence($"share of thread time waiting for contracts, {row.Key}", share * 100, "%"),
                new FindingEvidence($"such waits, {row.Key}", waits.Sum(wait => wait.ContractLookupMs), "ms"),
            ],
            LockScalingRule.LongestOf(waits[0])
        );
    }

    /// <summary>Whether a runtime has the change: <c>.NET 10.0.12</c>; not <c>.NET Framework 4.8</c>, <c>.NET Core 3.1</c>.</summary>
    private static bool IsChanged(string runtime) =>
        runtime.StartsWith(Core, StringComparison.Ordinal)
        && int.TryParse(runtime[Core.Length..].Split('.')[0], CultureInfo.InvariantCulture, out var major)
        && major >= Changed;
}
