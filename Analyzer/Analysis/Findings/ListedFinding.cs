using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>
/// Creates a finding on several rows, processes or methods: a sentence that names the worst, with all numbers as evidence.
/// </summary>
internal static class ListedFinding
{
    /// <summary>Maximum number of items in the sentence; the others are counted.</summary>
    private const int MaxNamed = 3;

    /// <summary><c> in METHOD</c>; empty without a name.</summary>
    public static string In(MethodName? method) => Name(method) is { } name ? $" in {name}" : "";

    /// <summary>A method's name as in source code, with its line; null without a stack, and when only the module is known.</summary>
    public static string? Name(MethodName? method) =>
        method is { } known && !known.Name.EndsWith("+?", StringComparison.Ordinal) ? known.InSource : null;

    /// <summary>Describes allocations of a row: <c>allocates Byte[] 62 %; 83 % in Parser.Round</c>; empty when not recorded.</summary>
    /// <param name="input">The trace input.</param>
    /// <param name="row">The row.</param>
    /// <param name="heap">Heap to count; null for all.</param>
    public static IEnumerable<string> Allocates(FindingInput input, SummaryKey row, AllocationKind? heap = null) =>
        AllocationShares.Of(input.Allocations, input.AllocationsByOwn, row, heap) is { Text.Length: > 0 } shares
            ? [$"allocates {shares.Text}"]
            : [];

    /// <summary>Creates a hint on items.</summary>
    /// <param name="code">Stable name.</param>
    /// <param name="confidence">Confidence of the conclusion.</param>
    /// <param name="what">The problem.</param>
    /// <param name="items">The items, worst first; at least one.</param>
    /// <param name="advice">How to fix it.</param>
    public static Finding Hint(string code, FindingConfidence confidence, string what, IReadOnlyList<ListedItem> items, string advice) =>
        Of(FindingKind.Hint, code, confidence, what, items, advice);

    /// <summary>Creates a warning on items.</summary>
    /// <inheritdoc cref="Hint"/>
    public static Finding Warning(string code, FindingConfidence confidence, string what, IReadOnlyList<ListedItem> items, string advice) =>
        Of(FindingKind.Warning, code, confidence, what, items, advice);

    private static Finding Of(
        FindingKind kind,
        string code,
        FindingConfidence confidence,
        string what,
        IReadOnlyList<ListedItem> items,
        string advice
    )
    {
        var others = items.Count > MaxNamed ? $" and {items.Count - MaxNamed} more" : "";
        return new Finding(kind, code, $"{what}: {string.Join(", ", items.Take(MaxNamed).Select(item => item.Text))}{others}; {advice}")
        {
            Confidence = confidence,
            Advice = advice,
            Evidence = [.. items.SelectMany(item => item.Evidence)],
            Locations = [.. items.Select(item => item.Location).OfType<FindingLocation>()],
            CostMs = items.Any(item => item.CostMs is not null) ? items.Sum(item => item.CostMs) : null,
        };
    }
}
