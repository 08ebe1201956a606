using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.PerfData.Tracepoints;

/// <summary>A field of a tracepoint's payload.</summary>
/// <param name="Name">Name, for example <c>prev_pid</c>.</param>
/// <param name="Offset">Byte offset in the payload.</param>
/// <param name="Size">Size in bytes.</param>
/// <param name="Signed">Whether it is signed.</param>
public sealed record TracepointField(string Name, int Offset, int Size, bool Signed)
{
    /// <summary>Reads the field as a number; false when the payload ends before it, or when it is not a number.</summary>
    public bool TryRead(ReadOnlySpan<byte> raw, out long value)
    {
        value = 0;
        if (Offset < 0 || Offset > raw.Length - Size)
            return false;
        var bytes = raw[Offset..];
        switch (Size)
        {
            case 1:
                value = Signed ? (sbyte)bytes[0] : bytes[0];
                return true;
            case 2:
                value = Signed ? BinaryPrimitives.ReadInt16LittleEndian(bytes) : BinaryPrimitives.ReadUInt16LittleEndian(bytes);
                return true;
            case 4:
                value = Signed ? BinaryPrimitives.ReadInt32LittleEndian(bytes) : BinaryPrimitives.ReadUInt32LittleEndian(bytes);
                return true;
            case 8:
                value = BinaryPrimitives.ReadInt64LittleEndian(bytes);
                return true;
            default:
                return false;
        }
    }

    /// <summary>Reads the field as zero-terminated text; empty when the payload ends before it.</summary>
    public ReadOnlySpan<byte> ReadText(ReadOnlySpan<byte> raw) =>
        Offset < 0 || Size < 0 || Offset > raw.Length - Size ? default : PerfRecord.Text(raw.Slice(Offset, Size));
}
