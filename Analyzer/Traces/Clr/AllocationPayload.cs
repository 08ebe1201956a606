using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>
/// Payloads of the allocation events. Source of the fields: ClrEtwAll.man of dotnet/runtime (GCAllocationTick_V1 to V4, AllocationSampled).
/// </summary>
internal static class AllocationPayload
{
    /// <summary>Kind, runtime instance, type id, an empty name, address, object size, sampled offset, with pointers of 4 bytes.</summary>
    public const int MinSampleBytes = 4 + 2 + 4 + 2 + 4 + 16;

    /// <summary>Reads GCAllocationTick; the payload has at least 4 bytes.</summary>
    public static AllocationTick ReadTick(in EventAt at, ReadOnlySpan<byte> payload, in ClrEventDetail detail)
    {
        // Version 2 added the amount with 64 bits after the amount (4), the kind (4) and the runtime instance (2), then the type; 3 the
        // address; 4 the size.
        var bytes =
            payload.Length >= 18 ? BinaryPrimitives.ReadInt64LittleEndian(payload[10..]) : BinaryPrimitives.ReadUInt32LittleEndian(payload);
        var kind = payload.Length >= 8 ? (AllocationKind)BinaryPrimitives.ReadInt32LittleEndian(payload[4..]) : AllocationKind.Small;
        var rest = payload.Length >= 18 + detail.PointerBytes ? payload[(18 + detail.PointerBytes)..] : default;
        if (!PayloadReader.TryReadText(ref rest, out var type))
            return new AllocationTick
            {
                At = at,
                Bytes = bytes,
                Kind = kind,
                Stack = detail.Stack,
            };
        var size = 4 + detail.PointerBytes; // after the heap's index and the address
        return new AllocationTick
        {
            At = at,
            Bytes = bytes,
            Kind = kind,
            Type = Known(type),
            ObjectBytes = rest.Length >= size + 8 ? BinaryPrimitives.ReadInt64LittleEndian(rest[size..]) : 0,
            Stack = detail.Stack,
        };
    }

    /// <summary>Reads AllocationSampled; the payload has at least <see cref="MinSampleBytes"/> bytes.</summary>
    public static AllocationSample ReadSample(in EventAt at, ReadOnlySpan<byte> payload, in ClrEventDetail detail)
    {
        var rest = payload[Math.Min(6 + detail.PointerBytes, payload.Length)..];
        PayloadReader.TryReadText(ref rest, out var type);
        return new AllocationSample
        {
            At = at,

            // After the type's name of variable length: address, object size, sampled byte offset.
            ObjectBytes = BinaryPrimitives.ReadInt64LittleEndian(payload[^16..]),
            Kind = (AllocationKind)BinaryPrimitives.ReadInt32LittleEndian(payload),
            Type = Known(type),
            Stack = detail.Stack,
        };
    }

    /// <summary>EventPipe writes a text for a null one: NativeAOT names no types in its events.</summary>
    private static ReadOnlySpan<char> Known(ReadOnlySpan<char> type) => type is "NULL" ? default : type;
}
