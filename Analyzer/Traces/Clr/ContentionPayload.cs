using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>Payload of ContentionStart. Source of the fields: ClrEtwAll.man of dotnet/runtime (ContentionStart_V1, V2).</summary>
internal static class ContentionPayload
{
    /// <summary>Reads ContentionStart; the payload has at least one byte.</summary>
    public static ContentionStarted ReadStart(in EventAt at, ReadOnlySpan<byte> payload, in ClrEventDetail detail)
    {
        // Flags (1), runtime instance (2); version 2: lock, its object, owner thread (8).
        const int Fixed = 3;
        var pointer = detail.PointerBytes;
        var isNative = payload[0] != 0;
        if (payload.Length < Fixed + (2 * pointer) + 8)
            return new ContentionStarted
            {
                At = at,
                IsNative = isNative,
                Stack = detail.Stack,
            };
        return new ContentionStarted
        {
            At = at,
            IsNative = isNative,
            LockId =
                pointer == 8
                    ? BinaryPrimitives.ReadUInt64LittleEndian(payload[Fixed..])
                    : BinaryPrimitives.ReadUInt32LittleEndian(payload[Fixed..]),
            OwnerThreadId = BinaryPrimitives.ReadInt64LittleEndian(payload[(Fixed + (2 * pointer))..]),
            Stack = detail.Stack,
        };
    }
}
