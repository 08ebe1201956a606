using EtwSerializerProfiler.Dumps.Heap;

namespace EtwSerializerProfiler.Dumps.Diff;

/// <summary>
/// Compares the heaps of two dumps by type. Types are matched by name, so the dumps may be of different processes and builds.
/// </summary>
public static class HeapDiff
{
    /// <summary>All types that differ in count or bytes, largest change in bytes first.</summary>
    /// <param name="before">Heap of the first dump.</param>
    /// <param name="after">Heap of the second dump.</param>
    public static IReadOnlyList<TypeDiff> Of(HeapResult before, HeapResult after)
    {
        ArgumentNullException.ThrowIfNull(before);
        ArgumentNullException.ThrowIfNull(after);
        var (first, second) = (Sums(before), Sums(after));
        return
        [
            .. first
                .Keys.Union(second.Keys)
                .Select(name =>
                {
                    var (left, right) = (first.GetValueOrDefault(name), second.GetValueOrDefault(name));
                    return new TypeDiff(name, left.Count, right.Count, left.Bytes, right.Bytes);
                })
                .Where(row => row.CountChange != 0 || row.BytesChange != 0)
                .OrderByDescending(row => Math.Abs(row.BytesChange))
                .ThenByDescending(row => Math.Abs(row.CountChange))
                .ThenBy(row => row.Type, StringComparer.Ordinal),
        ];
    }

    private static Dictionary<string, (long Count, long Bytes)> Sums(HeapResult heap) =>
        heap
            .Types.GroupBy(type => type.Type, StringComparer.Ordinal)
            .ToDictionary(
                group => group.Key,
                group => (group.Sum(type => type.Count), group.Sum(type => type.Bytes)),
                StringComparer.Ordinal
            );
}

/// <summary>A type in two dumps.</summary>
/// <param name="Type">Full name of the type.</param>
/// <param name="CountBefore">Objects in the first dump.</param>
/// <param name="CountAfter">Objects in the second dump.</param>
/// <param name="BytesBefore">Their bytes in the first dump.</param>
/// <param name="BytesAfter">Their bytes in the second dump.</param>
public sealed record TypeDiff(string Type, long CountBefore, long CountAfter, long BytesBefore, long BytesAfter)
{
    /// <summary>Change in the number of objects.</summary>
    public long CountChange => CountAfter - CountBefore;

    /// <summary>Change in bytes.</summary>
    public long BytesChange => BytesAfter - BytesBefore;
}
