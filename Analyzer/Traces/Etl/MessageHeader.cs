using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Etl;

/// <summary>
/// Header of a WPP message: u16 size, u8 type, u8 marker 0x90, u16 number, u16 flags, then the parts selected by the flags, in this order:
/// sequence number, component id or GUID, time, thread and process.
/// </summary>
internal readonly ref struct MessageHeader
{
    public const int Sequence = 1,
        HasGuid = 2,
        ComponentId = 4,
        HasTime = 8,
        SystemInfo = 0x20,
        Pointer32 = 0x40,
        Pointer64 = 0x80;

    private MessageHeader(int size, Guid guid, long? time, int thread, int process)
    {
        Size = size;
        Guid = guid;
        Time = time;
        ThreadId = thread;
        ProcessId = process;
    }

    /// <summary>Size of header and parts.</summary>
    public int Size { get; }

    public Guid Guid { get; }

    public long? Time { get; }

    public int ThreadId { get; }

    public int ProcessId { get; }

    /// <summary>Reads the header; ignores parts that do not fit into the record.</summary>
    public static MessageHeader Read(ReadOnlySpan<byte> record)
    {
        int flags = EtlFormat.UInt16(record, 6);
        var at = 8;
        var guid = Guid.Empty;
        long? time = null;
        int thread = -1,
            process = -1;
        if ((flags & Sequence) != 0 && at + 4 <= record.Length)
            at += 4;
        if ((flags & ComponentId) != 0 && at + 4 <= record.Length)
        {
            at += 4;
        }
        else if ((flags & HasGuid) != 0 && at + 16 <= record.Length)
        {
            guid = MemoryMarshal.Read<Guid>(record[at..]);
            at += 16;
        }

        if ((flags & HasTime) != 0 && at + 8 <= record.Length)
        {
            time = EtlFormat.Int64(record, at);
            at += 8;
        }

        if ((flags & SystemInfo) != 0 && at + 8 <= record.Length)
        {
            thread = EtlFormat.Int32(record, at);
            process = EtlFormat.Int32(record, at + 4);
            at += 8;
        }

        return new MessageHeader(at, guid, time, thread, process);
    }
}
