using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>Payloads of the events on inlining (ClrEtwAll.man of dotnet/runtime; sizes checked with recordings of .NET 8 to 10).</summary>
/// <remarks>
/// Rich debug information, event 189 of the private provider: u16 runtime instance @0, u64 method @2, u64 native code @10, u64 IL code @18,
/// u32 number of the chunk (bit 31: the last one) @26, u32 size @30, then as many bytes. MethodDetails, event 72: u64 method @0, u64 type
/// @8, u32 token @16, u32 count of type arguments @20, u64 loader module @24, then their ids. BulkType, event 15: u32 count, u16 runtime
/// instance, then each type: u64 type, u64 module, u32 token, u32 flags, u8 element type, name in UTF-16 with a zero (empty at the levels
/// used here), u32 count of type arguments, their ids.
/// </remarks>
internal static class InliningPayload
{
    /// <summary>Bit in a chunk's number that marks the last one.</summary>
    private const int LastChunk = 1 << 31;

    /// <summary>Flag of an array type.</summary>
    private const int ArrayFlag = 0x8;

    /// <summary>
    /// Reads rich debug information. For a payload with wrong sizes it returns a chunk without tree, so that the loss is counted.
    /// </summary>
    public static InlineTreeChunk ReadChunk(in EventAt at, ReadOnlySpan<byte> payload)
    {
        var reader = new PayloadReader(payload);
        reader.Bytes(2);
        var method = reader.Int64();
        var nativeCode = reader.Int64();
        reader.Int64();
        var number = reader.Int32();
        var data = reader.Bytes(reader.Int32());
        return reader is { Fits: true, Left: 0 }
            ? new InlineTreeChunk(at, method, nativeCode, number & ~LastChunk, (number & LastChunk) != 0, data)
            : new InlineTreeChunk(at, method, nativeCode, InlineTreeChunk.Damaged, isLast: true, default);
    }

    /// <summary>Reads MethodDetails.</summary>
    public static bool TryReadMethod(ReadOnlySpan<byte> payload, out MethodDetails details)
    {
        var reader = new PayloadReader(payload);
        var (method, type, token) = (reader.Int64(), reader.Int64(), reader.Int32());
        reader.Bytes(4); // count of type arguments
        details = new MethodDetails(method, type, token, reader.Int64());
        return reader.Fits;
    }

    /// <summary>Publishes the types of a BulkType event, up to the first one that does not fit.</summary>
    public static void SendTypes(ReadOnlySpan<byte> payload, EventHub hub)
    {
        var reader = new PayloadReader(payload);
        var count = reader.Int32();
        reader.Bytes(2);
        for (var i = 0; i < count && reader.Fits; i++)
        {
            var type = reader.Int64();
            var module = reader.Int64();
            var token = reader.Int32();
            var flags = reader.Int32();
            reader.Bytes(1);
            reader.SkipText();
            var parameters = reader.Items(reader.Int32(), 8);
            if (reader.Fits)
                hub.Publish(new TypeDetails(type, module, token, (flags & ArrayFlag) != 0, parameters));
        }
    }
}
