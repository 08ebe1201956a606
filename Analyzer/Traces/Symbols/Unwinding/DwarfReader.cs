using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.Symbols.Unwinding;

/// <summary>
/// Reads the numbers of DWARF call frame information. Reading past the end returns 0 and sets <see cref="Failed"/>; nothing throws.
/// </summary>
/// <param name="bytes">The bytes.</param>
/// <param name="address">Address of the first one in the program, for numbers relative to their own address.</param>
internal ref struct DwarfReader(ReadOnlySpan<byte> bytes, ulong address)
{
    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private readonly ulong _address = address;

    /// <summary>Offset of the next byte.</summary>
    public int Position { get; private set; }

    /// <summary>Whether a read went past the end or met an unknown form.</summary>
    public bool Failed { get; private set; }

    /// <summary>Whether nothing is left, or reading failed.</summary>
    public readonly bool IsAtEnd => Failed || Position >= _bytes.Length;

    /// <summary>Address of the next byte.</summary>
    public readonly ulong Address => _address + (ulong)Position;

    public byte U8() => Take(1) is { Length: > 0 } taken ? taken[0] : (byte)0;

    public ushort U16() => Take(2) is { Length: > 0 } taken ? BinaryPrimitives.ReadUInt16LittleEndian(taken) : (ushort)0;

    public uint U32() => Take(4) is { Length: > 0 } taken ? BinaryPrimitives.ReadUInt32LittleEndian(taken) : 0;

    public ulong U64() => Take(8) is { Length: > 0 } taken ? BinaryPrimitives.ReadUInt64LittleEndian(taken) : 0;

    /// <summary>An unsigned number of variable length (ULEB128).</summary>
    public ulong Unsigned()
    {
        var value = 0UL;
        for (var shift = 0; shift < 70; shift += 7)
        {
            var next = U8();
            if (shift < 64)
                value |= (ulong)(next & 0x7f) << shift;
            if (next < 0x80)
                return value;
        }

        Failed = true;
        return 0;
    }

    /// <summary>A signed number of variable length (SLEB128).</summary>
    public long Signed()
    {
        var value = 0L;
        for (var shift = 0; shift < 70; shift += 7)
        {
            var next = U8();
            if (shift < 64)
                value |= (long)(next & 0x7f) << shift;
            if (next < 0x80)
                return shift + 7 < 64 && (next & 0x40) != 0 ? value | -1L << (shift + 7) : value;
        }

        Failed = true;
        return 0;
    }

    /// <summary>
    /// A pointer in one of the encodings of the Linux Standard Base (DW_EH_PE): format in the low 4 bits, in bits 4–6 what it is relative
    /// to (nothing, or its own address), bit 7 for the address of the pointer instead of the pointer.
    /// </summary>
    public ulong Pointer(int encoding)
    {
        if (encoding == UnwindTable.NoPointer)
            return 0;
        var at = Address;
        var value = (encoding & 0xf) switch
        {
            0x0 or 0x4 or 0xc => U64(),
            0x1 => Unsigned(),
            0x2 => U16(),
            0x3 => U32(),
            0x9 => (ulong)Signed(),
            0xa => (ulong)(short)U16(),
            0xb => (ulong)(int)U32(),
            _ => Fail(),
        };
        return (encoding & 0x70) switch
        {
            0x00 => value,
            0x10 => at + value,
            _ => Fail(),
        };
    }

    public void Skip(ulong count) => Take(count);

    public ReadOnlySpan<byte> Take(ulong count)
    {
        if (Failed || count > (ulong)(_bytes.Length - Position))
        {
            Failed = true;
            return default;
        }

        Position += (int)count;
        return _bytes.Slice(Position - (int)count, (int)count);
    }

    /// <summary>Reads a zero-terminated text.</summary>
    public ReadOnlySpan<byte> Text()
    {
        var length = Failed ? -1 : _bytes[Position..].IndexOf((byte)0);
        if (length < 0)
        {
            Failed = true;
            return default;
        }

        var text = _bytes.Slice(Position, length);
        Position += length + 1;
        return text;
    }

    private ulong Fail()
    {
        Failed = true;
        return 0;
    }
}
