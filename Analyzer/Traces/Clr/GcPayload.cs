using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>
/// Payloads of events with heap sizes. Source of the fields: ClrEtwAll.man of dotnet/runtime (GCHeapStats_V1, V2, GCPerHeapHistory_V3).
/// </summary>
internal static class GcPayload
{
    /// <summary>Four pairs of size and promoted bytes, two numbers about finalization, three counts, the runtime instance.</summary>
    private const int StatisticsVersion1 = (8 * 8) + (2 * 8) + (3 * 4) + 2;

    /// <summary>Number of values per generation in GCPerHeapHistory; the first is its size before the GC.</summary>
    private const int ValuesOfGeneration = 10;

    /// <summary>Maximum number of generations in any runtime: 0 to 2, large and pinned objects.</summary>
    private const int MaxGenerations = 8;

    /// <summary>Reads GCHeapStats.</summary>
    public static bool TryReadStatistics(in EventAt at, ReadOnlySpan<byte> payload, out HeapStatistics statistics)
    {
        statistics = default;
        if (payload.Length < StatisticsVersion1)
            return false;
        long size = 0,
            promoted = 0;
        for (var generation = 0; generation < 4; generation++)
            Add(payload[(16 * generation)..], ref size, ref promoted);
        if (payload.Length >= StatisticsVersion1 + 16)
            Add(payload[StatisticsVersion1..], ref size, ref promoted); // pinned objects
        statistics = new HeapStatistics(at, size, promoted);
        return size >= 0 && promoted >= 0;
    }

    /// <summary>
    /// Reads the size of one heap before the GC from GCPerHeapHistory: all generations, including large and pinned objects.
    /// </summary>
    public static bool TryReadSizeBefore(ReadOnlySpan<byte> payload, int pointerBytes, out long bytes)
    {
        // Runtime instance (2), six pointers, six numbers of 4 bytes, a pointer, the count of generations (4), their values.
        bytes = 0;
        var count = 2 + (6 * pointerBytes) + (6 * 4) + pointerBytes;
        if (payload.Length < count + 4)
            return false;
        var generations = BinaryPrimitives.ReadInt32LittleEndian(payload[count..]);
        if (generations is < 3 or > MaxGenerations)
            return false;
        var values = payload[(count + 4)..];
        var step = ValuesOfGeneration * pointerBytes;
        if (values.Length < generations * step)
            return false;
        for (var generation = 0; generation < generations; generation++)
        {
            var value = values[(generation * step)..];
            bytes += pointerBytes == 8 ? BinaryPrimitives.ReadInt64LittleEndian(value) : BinaryPrimitives.ReadUInt32LittleEndian(value);
        }

        return bytes >= 0;
    }

    private static void Add(ReadOnlySpan<byte> pair, ref long size, ref long promoted)
    {
        size += BinaryPrimitives.ReadInt64LittleEndian(pair);
        promoted += BinaryPrimitives.ReadInt64LittleEndian(pair[8..]);
    }
}
