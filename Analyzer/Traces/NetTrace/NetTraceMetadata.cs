using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.NetTrace.Blocks;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>
/// Checks the field descriptions of a metadata block (formats 4 and 5) before a decoder allocates memory by them: a flipped bit in a field
/// count could otherwise request gigabytes, one in a nesting depth a deep recursion.
/// </summary>
internal static class NetTraceMetadata
{
    /// <summary>Last version with this metadata layout.</summary>
    private const int MaxVersion = 5;

    private const int DeepestNesting = 16;
    private const byte OpcodeTag = 1;
    private const byte FieldsTag = 2;

    /// <summary>Whether every field count fits into the following bytes.</summary>
    public static bool IsPlausible(ReadOnlySpan<byte> block)
    {
        var reader = new PayloadReader(block);
        if (!EventBlock.TryReadHead(ref reader, out var isCompressed))
            return false;
        var header = default(EventHeader);
        while (reader.Left > 0)
        {
            if (!header.TryRead(ref reader, isCompressed, MaxVersion) || !IsPlausibleRecord(reader.Bytes(header.PayloadBytes)))
                return false;
            EventBlock.SkipPadding(ref reader, isCompressed, header.PayloadBytes);
        }

        return true;
    }

    /// <summary>The opcode after a record's fixed part; 0 when there is none.</summary>
    public static int OpcodeAfter(ReadOnlySpan<byte> fixedPart)
    {
        if (fixedPart.IsEmpty || !TryCheckFields(ref fixedPart, sized: false, 0))
            return 0;
        var reader = new PayloadReader(fixedPart);
        while (reader.Left > 0)
        {
            var (bytes, tag) = (reader.Int32(), reader.Byte());
            var content = reader.Bytes(bytes);
            if (tag == OpcodeTag && content.Length > 0)
                return content[0];
        }

        return 0;
    }

    private static bool IsPlausibleRecord(ReadOnlySpan<byte> record)
    {
        if (
            !TrySkip(ref record, 4)
            || !TrySkipText(ref record)
            || !TrySkip(ref record, 4)
            || !TrySkipText(ref record)
            || !TrySkip(ref record, 16)
        )
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
            if (tag == FieldsTag && !TryCheckFields(ref content, sized: true, 0))
                return false;
            record = record[bytes..];
        }

        return true;
    }

    private static bool TryCheckFields(ref ReadOnlySpan<byte> rest, bool sized, int depth)
    {
        const int MinFieldBytes = 6; // type code and the end of the name
        if (depth > DeepestNesting || rest.Length < 4)
            return false;
        var count = BinaryPrimitives.ReadInt32LittleEndian(rest);
        rest = rest[4..];
        if (count < 0 || (long)count * MinFieldBytes > rest.Length)
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
        const int Structure = 1,
            Array = 19;
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
}
