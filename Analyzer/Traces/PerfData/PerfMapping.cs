using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>A file mapped into a process; a view, valid until the next record is read.</summary>
public readonly ref struct PerfMapping
{
    private const int BuildIdBit = 1 << 14;

    /// <summary>
    /// Bytes before the path: Mmap has pid, tid, addr, len, pgoff; Mmap2 also 24 bytes of inode or build id, and prot, flags.
    /// </summary>
    private const int MmapFixed = 32;
    private const int Mmap2Fixed = MmapFixed + 32;

    private PerfMapping(ReadOnlySpan<byte> payload, bool second, bool buildId)
    {
        ProcessId = BinaryPrimitives.ReadInt32LittleEndian(payload);
        ThreadId = BinaryPrimitives.ReadInt32LittleEndian(payload[4..]);
        Address = BinaryPrimitives.ReadUInt64LittleEndian(payload[8..]);
        Length = BinaryPrimitives.ReadUInt64LittleEndian(payload[16..]);
        PageOffset = BinaryPrimitives.ReadUInt64LittleEndian(payload[24..]);
        Protection = second ? BinaryPrimitives.ReadInt32LittleEndian(payload[56..]) : 0;
        BuildId = second && buildId ? payload.Slice(36, Math.Min(20, (int)payload[32])) : default;
        Path = PerfRecord.Text(payload[(second ? Mmap2Fixed : MmapFixed)..]);
    }

    /// <summary>Process; -1 for the kernel.</summary>
    public int ProcessId { get; }

    /// <summary>Thread that mapped it.</summary>
    public int ThreadId { get; }

    /// <summary>First address.</summary>
    public ulong Address { get; }

    /// <summary>Length in bytes.</summary>
    public ulong Length { get; }

    /// <summary>Offset of the first byte in the file.</summary>
    public ulong PageOffset { get; }

    /// <summary>PROT_* bits of mmap(2); 4 is executable. 0 for the older record, which lacks them.</summary>
    public int Protection { get; }

    /// <summary>Build id of the file (GNU note); empty when the record has none.</summary>
    public ReadOnlySpan<byte> BuildId { get; }

    /// <summary>Path as UTF-8; <c>//anon</c> and names in brackets are not files.</summary>
    public ReadOnlySpan<byte> Path { get; }

    internal static bool TryRead(PerfRecord record, out PerfMapping mapping)
    {
        var payload = record.Payload;
        var second = record.Type == PerfRecordType.Mmap2;
        if ((!second && record.Type != PerfRecordType.Mmap) || payload.Length < (second ? Mmap2Fixed : MmapFixed))
        {
            mapping = default;
            return false;
        }

        mapping = new PerfMapping(payload, second, (record.Misc & BuildIdBit) != 0);
        return true;
    }
}
