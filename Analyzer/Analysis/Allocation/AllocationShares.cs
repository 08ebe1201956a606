using System.Globalization;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Allocation;

/// <summary>Shares of a row's allocations by type and by the program's own method, largest first.</summary>
/// <param name="Types">Types by their names in the source (<see cref="SourceTypeName"/>), with their shares in %.</param>
/// <param name="Methods">The program's own methods that lead to allocation, with their shares in %.</param>
public sealed record AllocationShares(
    IReadOnlyList<(string Name, double Percent)> Types,
    IReadOnlyList<(string Name, double Percent)> Methods
)
{
    /// <summary>Minimum share in a sentence, in %.</summary>
    private const double MinPercent = 5;

    private const int MaxTypes = 2;

    /// <summary>Returns the shares of a row; null when its allocations were not recorded, or when there are none.</summary>
    /// <param name="byType">Allocations by type.</param>
    /// <param name="byOwn">Allocations by own method.</param>
    /// <param name="row">The row.</param>
    /// <param name="heap">Heap to count; null for all.</param>
    public static AllocationShares? Of(AllocationResult? byType, AllocationResult? byOwn, SummaryKey row, AllocationKind? heap = null)
    {
        var types = Shares(byType, item => item.Type is { } type ? SourceTypeName.Of(type) : null);
        return types.Count == 0 ? null : new AllocationShares(types, Shares(byOwn, item => item.Method?.InSource));

        List<(string Name, double Percent)> Shares(AllocationResult? result, Func<AllocationRow, string?> name)
        {
            var rows = result?.AllRows.Where(item => item.Runs == row && (heap is null || item.Heap == heap)).ToList() ?? [];
            var all = rows.Sum(item => item.Bytes);
            return
            [
                .. rows.GroupBy(name)
                    .Where(group => group.Key is not null)
                    .Select(group => (Name: group.Key!, Percent: 100 * group.Sum(item => item.Bytes) / Math.Max(all, double.Epsilon)))
                    .OrderByDescending(share => share.Percent),
            ];
        }
    }

    /// <summary>Types and the method as a phrase: <c>Byte[] 62 %, Order 12 %; 83 % in Parser.Round</c>.</summary>
    public string Text =>
        string.Join(
            "; ",
            (
                (string[])
                    [
                        string.Join(", ", Types.Take(MaxTypes).Where(IsNamed).Select(Format)),
                        .. Methods
                            .Take(1)
                            .Where(IsNamed)
                            .Select(method => string.Create(CultureInfo.InvariantCulture, $"{method.Percent:0} % in {method.Name}")),
                    ]
            ).Where(part => part.Length > 0)
        );

    /// <summary>Formats a share.</summary>
    public static string Format((string Name, double Percent) share) =>
        string.Create(CultureInfo.InvariantCulture, $"{share.Name} {share.Percent:0} %");

    private static bool IsNamed((string Name, double Percent) share) => share.Percent >= MinPercent;
}
