using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>Writes bytes by hand, so that the tests do not depend on the tested writer.</summary>
internal sealed class Bytes
{
    private readonly List<byte> _bytes = [];

    public int Length => _bytes.Count;

    public static implicit operator byte[](Bytes bytes) => [.. bytes._bytes];

    public Bytes U8(params byte[] values)
    {
        _bytes.AddRange(values);
        return this;
    }

    public Bytes U16(params ushort[] values)
    {
        foreach (var value in values)
            _bytes.AddRange(BitConverter.GetBytes(value));
        return this;
    }

    public Bytes U32(params uint[] values)
    {
        foreach (var value in values)
            _bytes.AddRange(BitConverter.GetBytes(value));
        return this;
    }

    public Bytes U64(params ulong[] values)
    {
        foreach (var value in values)
            _bytes.AddRange(BitConverter.GetBytes(value));
        return this;
    }

    public Bytes Text(string text, int padTo = 1)
    {
        _bytes.AddRange(Encoding.UTF8.GetBytes(text));
        _bytes.Add(0);
        while (_bytes.Count % padTo != 0)
            _bytes.Add(0);
        return this;
    }

    public Bytes Add(byte[] bytes)
    {
        _bytes.AddRange(bytes);
        return this;
    }

    /// <summary>A record: header and payload.</summary>
    public static byte[] Record(uint type, ushort misc, byte[] payload)
    {
        var bytes = new byte[8 + payload.Length];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, type);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(4), misc);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(6), (ushort)bytes.Length);
        payload.CopyTo(bytes, 8);
        return bytes;
    }
}
