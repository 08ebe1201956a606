using System.Buffers.Binary;
using ZstdSharp;

namespace EtwSerializerProfiler.Traces.PerfData.Writing;

/// <summary>
/// Compresses the records of a perf.data file: copies of stacks repeat from sample to sample, so that a recording takes a fifth.
/// </summary>
/// <remarks>
/// <c>perf record -z</c> writes one zstd stream in pieces that fit a record of 64 KB. Here each piece is a zstd frame of its own with whole
/// records. So a piece that does not get small enough stays as it is, and a damaged piece damages no other. perf maps memory for each
/// piece, and Linux permits 65,530 mappings per process by default: with 240 KB per piece, perf reads up to 15 GB.
/// </remarks>
internal sealed class RecordPacker : IDisposable
{
    /// <summary>The fastest level at which zstd finds most of the repetition; level 3 takes a third longer and saves 4 % more.</summary>
    public const int Level = 1;

    /// <summary>Maximum size of a piece's records.</summary>
    public const int PieceBytes = 240 << 10;

    /// <summary>Maximum payload of a compressed record, whose size has 16 bits.</summary>
    private const int MaxPayload = ushort.MaxValue - SampleLayout.HeaderSize;

    private readonly Compressor _compressor = new(Level);

    /// <summary>Compresses records.</summary>
    /// <param name="records">Whole records.</param>
    /// <param name="output">Receives what replaces them; at least as large.</param>
    /// <returns>Number of bytes in the output.</returns>
    public int Pack(ReadOnlySpan<byte> records, Span<byte> output)
    {
        var filled = 0;
        while (records.Length > 0)
        {
            var piece = records[..WholeRecords(records, PieceBytes)];
            records = records[piece.Length..];
            var target = output[filled..];
            var room = Math.Min(MaxPayload, piece.Length - SampleLayout.HeaderSize);
            if (room > 0 && _compressor.TryWrap(piece, target.Slice(SampleLayout.HeaderSize, room), out var packed))
            {
                BinaryPrimitives.WriteInt32LittleEndian(target, (int)PerfRecordType.Compressed);
                BinaryPrimitives.WriteUInt16LittleEndian(target[4..], 0);
                BinaryPrimitives.WriteUInt16LittleEndian(target[6..], (ushort)(SampleLayout.HeaderSize + packed));
                filled += SampleLayout.HeaderSize + packed;
            }
            else
            {
                piece.CopyTo(target);
                filled += piece.Length;
            }
        }

        return filled;
    }

    /// <inheritdoc />
    public void Dispose() => _compressor.Dispose();

    /// <summary>Size of the whole records at the start; 0 when there is none.</summary>
    public static int WholeRecords(ReadOnlySpan<byte> bytes, int maxBytes = int.MaxValue)
    {
        var size = 0;
        while (size + SampleLayout.HeaderSize <= bytes.Length)
        {
            var next = BinaryPrimitives.ReadUInt16LittleEndian(bytes[(size + 6)..]);
            if (next < SampleLayout.HeaderSize || size + next > Math.Min(maxBytes, bytes.Length))
                break;
            size += next;
        }

        return size;
    }
}
