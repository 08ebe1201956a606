using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>
/// Checks the field descriptions of a metadata block (formats 4 and 5) before a decoder allocates by them: a flipped bit in a field count
/// would otherwise ask for gigabytes, one in a nesting for a deep recursion.
/// </summary>
internal static class NetTraceMetadata
{
    private const int DeepestNesting = 16;

    /// <summary>True when every field count fits into the bytes that follow it.</summary>
    public static bool IsPlausible(ReadOnlySpan<byte> block)
    {
        if (block.Length < 4)
            return false;
        var headerBytes = BinaryPrimitives.ReadUInt16LittleEndian(block);
        if (headerBytes < 20 || headerBytes > block.Length)
            return false;
        var compressed = (BinaryPrimitives.ReadUInt16LittleEndian(block[2..]) & 1) != 0;
        var rest = block[headerBytes..];
        var payloadBytes = 0;
        while (!rest.IsEmpty)
        {
            if (!TrySkipEventHeader(ref rest, compressed, ref payloadBytes) || !IsPlausibleRecord(rest[..payloadBytes]))
                return false;
            rest = rest[payloadBytes..];
            if (!compressed)
                rest = rest[Math.Min(-payloadBytes & 3, rest.Length)..];
        }

        return true;
    }

    /// <summary>Skips the header of an event or a metadata record, which have one layout; false when it or its payload does not fit into the rest.</summary>
    /// <param name="rest">Begins with the header, then with the payload.</param>
    /// <param name="compressed">Whether the block's flags say that headers are compressed.</param>
    /// <param name="payloadBytes">Size of the payload before and of this one.</param>
    internal static bool TrySkipEventHeader(ref ReadOnlySpan<byte> rest, bool compressed, ref int payloadBytes) =>
        (compressed ? SkipCompressedHeader(ref rest, ref payloadBytes) : SkipHeader(ref rest, ref payloadBytes)) && payloadBytes >= 0 && payloadBytes <= rest.Length;

    /// <summary>The header is 76 bytes with its size first and the payload's size last.</summary>
    private static bool SkipHeader(ref ReadOnlySpan<byte> rest, ref int payloadBytes)
    {
        const int HeaderBytes = 80;
        if (rest.Length < HeaderBytes)
            return false;
        payloadBytes = BinaryPrimitives.ReadInt32LittleEndian(rest[(HeaderBytes - 4)..]);
        rest = rest[HeaderBytes..];
        return true;
    }

    /// <summary>Header compression: a byte of flags says which fields follow; the others repeat the last event's.</summary>
    private static bool SkipCompressedHeader(ref ReadOnlySpan<byte> rest, ref int payloadBytes)
    {
        if (rest.IsEmpty)
            return false;
        var flags = rest[0];
        rest = rest[1..];
        var fine = ((flags & 1) == 0 || TrySkipVariable(ref rest, out _))
            && ((flags & 2) == 0 || (TrySkipVariable(ref rest, out _) && TrySkipVariable(ref rest, out _) && TrySkipVariable(ref rest, out _)))
            && ((flags & 4) == 0 || TrySkipVariable(ref rest, out _))
            && ((flags & 8) == 0 || TrySkipVariable(ref rest, out _))
            && TrySkipVariable(ref rest, out _)
            && ((flags & 16) == 0 || TrySkip(ref rest, 16))
            && ((flags & 32) == 0 || TrySkip(ref rest, 16));
        if (!fine)
            return false;
        if ((flags & 128) == 0)
            return true;
        if (!TrySkipVariable(ref rest, out var size) || size > int.MaxValue)
            return false;
        payloadBytes = (int)size;
        return true;
    }

    private static bool IsPlausibleRecord(ReadOnlySpan<byte> record)
    {
        if (!TrySkip(ref record, 4) || !TrySkipText(ref record) || !TrySkip(ref record, 4) || !TrySkipText(ref record) || !TrySkip(ref record, 16))
            return false;
        if (record.IsEmpty)
            return true;
        if (!TryCheckFields(ref record, sized: false, 0))
            return false;
        while (!record.IsEmpty)
        {
            if (record.Length < 5)
                return false;
            var bytes = BinaryPrimitives.ReadInt32LittleEndian(record);
            var tag = record[4];
            record = record[5..];
            if (bytes < 0 || bytes > record.Length)
                return false;
            var content = record[..bytes];
            if (tag == 2 && !TryCheckFields(ref content, sized: true, 0))
                return false;
            record = record[bytes..];
        }

        return true;
    }

    private static bool TryCheckFields(ref ReadOnlySpan<byte> rest, bool sized, int depth)
    {
        const int SmallestField = 6; // type code and the end of the name
        if (depth > DeepestNesting || rest.Length < 4)
            return false;
        var count = BinaryPrimitives.ReadInt32LittleEndian(rest);
        rest = rest[4..];
        if (count < 0 || (long)count * SmallestField > rest.Length)
            return false;
        for (var i = 0; i < count; i++)
        {
            if (!sized)
            {
                if (!TryCheckType(ref rest, sized, depth) || !TrySkipText(ref rest))
                    return false;
                continue;
            }

            if (rest.Length < 4)
                return false;
            var bytes = BinaryPrimitives.ReadInt32LittleEndian(rest);
            if (bytes < 4 || bytes > rest.Length)
                return false;
            var field = rest[4..bytes];
            if (!TrySkipText(ref field) || !TryCheckType(ref field, sized, depth))
                return false;
            rest = rest[bytes..];
        }

        return true;
    }

    private static bool TryCheckType(ref ReadOnlySpan<byte> rest, bool sized, int depth)
    {
        const int Structure = 1, Array = 19;
        if (rest.Length < 4)
            return false;
        var type = BinaryPrimitives.ReadInt32LittleEndian(rest);
        rest = rest[4..];
        return type switch
        {
            Structure => TryCheckFields(ref rest, sized, depth + 1),
            Array => depth < DeepestNesting && TryCheckType(ref rest, sized, depth + 1),
            _ => type is > 0 and < 32,
        };
    }

    private static bool TrySkip(ref ReadOnlySpan<byte> rest, int bytes)
    {
        if (rest.Length < bytes)
            return false;
        rest = rest[bytes..];
        return true;
    }

    private static bool TrySkipText(ref ReadOnlySpan<byte> rest)
    {
        for (var i = 0; i + 1 < rest.Length; i += 2)
        {
            if (rest[i] != 0 || rest[i + 1] != 0)
                continue;
            rest = rest[(i + 2)..];
            return true;
        }

        return false;
    }

    private static bool TrySkipVariable(ref ReadOnlySpan<byte> rest, out ulong value)
    {
        value = 0;
        for (var shift = 0; shift < 70 && !rest.IsEmpty; shift += 7)
        {
            var part = rest[0];
            rest = rest[1..];
            value |= (ulong)(part & 0x7F) << shift;
            if (part < 0x80)
                return true;
        }

        return false;
    }
}
