using System.Buffers.Binary;

namespace EtwSerializerProfiler.Etl;

/// <summary>
/// Writes extended items consecutively, for <see cref="EtlWriter.Write(in EtlEventFields, ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>.
/// </summary>
public ref struct EtlExtendedItemWriter
{
    private readonly Span<byte> _bytes;
    private int _filled;
    private int _last;

    /// <summary>Writes into a span.</summary>
    public EtlExtendedItemWriter(Span<byte> bytes)
    {
        _bytes = bytes;
        _filled = 0;
        _last = -1;
    }

    /// <summary>The items so far.</summary>
    public readonly ReadOnlySpan<byte> Written => _bytes[.._filled];

    /// <summary>Size of an item with a number of data bytes.</summary>
    public static int SizeOf(int dataBytes) => (EtlExtendedItemEnumerator.HeaderSize + dataBytes + 7) & ~7;

    /// <summary>Adds an item and returns the zeroed span for its data.</summary>
    /// <exception cref="ArgumentException">The span is full, or the item is too large for an event.</exception>
    public Span<byte> Add(EtlExtendedType type, int dataBytes)
    {
        var size = SizeOf(dataBytes);
        if (dataBytes < 0 || size > ushort.MaxValue || size > _bytes.Length - _filled)
            throw new ArgumentException($"An item with {dataBytes} bytes of data does not fit.", nameof(dataBytes));
        if (_last >= 0)
            BinaryPrimitives.WriteUInt16LittleEndian(_bytes[(_last + 4)..], 1);
        var item = _bytes.Slice(_filled, size);
        item.Clear();
        BinaryPrimitives.WriteUInt16LittleEndian(item, (ushort)size);
        BinaryPrimitives.WriteUInt16LittleEndian(item[2..], (ushort)type);
        BinaryPrimitives.WriteUInt16LittleEndian(item[6..], (ushort)dataBytes);
        _last = _filled;
        _filled += size;
        return item.Slice(EtlExtendedItemEnumerator.HeaderSize, dataBytes);
    }

    /// <summary>Adds an item.</summary>
    /// <exception cref="ArgumentException">The span is full.</exception>
    public void Add(EtlExtendedType type, ReadOnlySpan<byte> data) => data.CopyTo(Add(type, data.Length));

    /// <summary>Adds a stack of 64-bit addresses, the top frame first.</summary>
    /// <exception cref="ArgumentException">The span is full.</exception>
    public void AddStack(ulong matchId, ReadOnlySpan<ulong> addresses)
    {
        var data = Add(EtlExtendedType.StackTrace64, 8 + 8 * addresses.Length);
        BinaryPrimitives.WriteUInt64LittleEndian(data, matchId);
        for (var frame = 0; frame < addresses.Length; frame++)
            BinaryPrimitives.WriteUInt64LittleEndian(data[(8 + 8 * frame)..], addresses[frame]);
    }
}
