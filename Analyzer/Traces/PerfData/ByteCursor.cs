using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Reads numbers and texts in order; after the end, everything reads as zero or empty and <see cref="Failed"/> is set.</summary>
internal ref struct ByteCursor(ReadOnlySpan<byte> bytes)
{
    private ReadOnlySpan<byte> _rest = bytes;

    /// <summary>Whether a read went beyond the end.</summary>
    public bool Failed { get; private set; }

    public int Left => _rest.Length;

    public ReadOnlySpan<byte> Take(ulong count)
    {
        if (count > (ulong)_rest.Length)
        {
            Failed = true;
            _rest = default;
            return default;
        }

        var taken = _rest[..(int)count];
        _rest = _rest[(int)count..];
        return taken;
    }

    public uint UInt32() => Take(4) is { Length: 4 } bytes ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : 0;

    public ulong UInt64() => Take(8) is { Length: 8 } bytes ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : 0;

    /// <summary>A u32 length and that many bytes: a text and zeros.</summary>
    public string PaddedText() => Encoding.UTF8.GetString(PerfRecord.Text(Take(UInt32())));

    /// <summary>A zero-terminated text.</summary>
    public string ZeroEndedText()
    {
        var end = _rest.IndexOf((byte)0);
        if (end < 0)
        {
            Take(ulong.MaxValue);
            return "";
        }

        var text = Encoding.UTF8.GetString(_rest[..end]);
        _rest = _rest[(end + 1)..];
        return text;
    }
}
