using System.Buffers.Binary;

namespace EtwSerializerProfiler.Etl;

/// <summary>Enumerates an event's extended items; for <c>foreach</c>.</summary>
public ref struct EtlExtendedItemEnumerator
{
    /// <summary>u16 size (multiple of 8, this header included), u16 type, u16 linkage, u16 size of the data.</summary>
    internal const int HeaderSize = 8;

    private ReadOnlySpan<byte> _rest;

    internal EtlExtendedItemEnumerator(ReadOnlySpan<byte> items)
    {
        _rest = items;
        Current = default;
    }

    /// <summary>The current item.</summary>
    public EtlExtendedItem Current { get; private set; }

    /// <summary>Returns the enumerator.</summary>
    public readonly EtlExtendedItemEnumerator GetEnumerator() => this;

    /// <summary>Moves to the next item.</summary>
    public bool MoveNext()
    {
        if (_rest.Length < HeaderSize)
            return false;
        int size = BinaryPrimitives.ReadUInt16LittleEndian(_rest);
        int data = BinaryPrimitives.ReadUInt16LittleEndian(_rest[6..]);
        if (size < HeaderSize || size > _rest.Length)
            return false;
        Current = new EtlExtendedItem(
            (EtlExtendedType)BinaryPrimitives.ReadUInt16LittleEndian(_rest[2..]),
            _rest.Slice(HeaderSize, Math.Min(data, size - HeaderSize))
        );
        _rest = _rest[size..];
        return true;
    }
}
