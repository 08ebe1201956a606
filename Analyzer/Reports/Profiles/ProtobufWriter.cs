using System.Text;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>
/// Writes the wire format of protocol buffers (protobuf.dev/programming-guides/encoding): varints and length-delimited fields. A message is
/// built in a buffer, because its length precedes it.
/// </summary>
internal sealed class ProtobufWriter
{
    private const int LengthDelimited = 2;

    private byte[] _bytes = new byte[1024];
    private int _length;

    /// <summary>What was written.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _length);

    /// <summary>Discards what was written.</summary>
    public void Clear() => _length = 0;

    /// <summary>A number; 0 is the default and not written.</summary>
    public void Number(int field, long value)
    {
        if (value == 0)
            return;
        Varint((ulong)field << 3);
        Varint((ulong)value);
    }

    /// <summary>Numbers, packed; nothing for none.</summary>
    public void Numbers(int field, ReadOnlySpan<long> values)
    {
        if (values.IsEmpty)
            return;
        var length = 0;
        foreach (var value in values)
            length += Size((ulong)value);
        Begin(field, length);
        foreach (var value in values)
            Varint((ulong)value);
    }

    /// <summary>A text.</summary>
    public void Text(int field, string value)
    {
        var length = Encoding.UTF8.GetByteCount(value);
        Begin(field, length);
        Reserve(length);
        _length += Encoding.UTF8.GetBytes(value, _bytes.AsSpan(_length));
    }

    /// <summary>A message.</summary>
    public void Message(int field, ProtobufWriter message)
    {
        Begin(field, message._length);
        Reserve(message._length);
        message.Written.CopyTo(_bytes.AsSpan(_length));
        _length += message._length;
    }

    private void Begin(int field, int length)
    {
        Varint(((ulong)field << 3) | LengthDelimited);
        Varint((ulong)length);
    }

    private void Varint(ulong value)
    {
        Reserve(10);
        while (value >= 0x80)
        {
            _bytes[_length++] = (byte)(value | 0x80);
            value >>= 7;
        }

        _bytes[_length++] = (byte)value;
    }

    private static int Size(ulong value)
    {
        var size = 1;
        for (; value >= 0x80; value >>= 7)
            size++;
        return size;
    }

    private void Reserve(int bytes)
    {
        if (_length + bytes > _bytes.Length)
            Array.Resize(ref _bytes, Math.Max(2 * _bytes.Length, _length + bytes));
    }
}
