using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// A record, as a view over the reader's buffer: valid until the next one is read. Layouts: enum perf_event_type in linux/perf_event.h. The methods
/// that take it apart return false when its bytes do not have the shape of its type, as in a damaged file.
/// </summary>
public readonly ref struct PerfRecord
{
    private const int SwitchOutBit = 1 << 13;
    private const int PreemptedBit = 1 << 14;

    internal PerfRecord(ReadOnlySpan<byte> bytes, PerfEvent perfEvent, long time, long fileOffset)
    {
        Bytes = bytes;
        Event = perfEvent;
        Time = time;
        FileOffset = fileOffset;
    }

    /// <summary>The whole record, its header (u32 type, u16 misc, u16 size) first.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>The event it belongs to; the first one where the record names none.</summary>
    public PerfEvent Event { get; }

    /// <summary>Time in ns of the event's clock, 0 when the record has none.</summary>
    public long Time { get; }

    /// <summary>Where it begins in the file.</summary>
    public long FileOffset { get; }

    /// <summary>What it is.</summary>
    public PerfRecordType Type => (PerfRecordType)BinaryPrimitives.ReadInt32LittleEndian(Bytes);

    /// <summary>Bits whose meaning depends on the type (PERF_RECORD_MISC_*).</summary>
    public int Misc => BinaryPrimitives.ReadUInt16LittleEndian(Bytes[4..]);

    /// <summary>Of a sample: whether the processor was in kernel mode.</summary>
    public bool IsKernelMode => (Misc & 7) == 1;

    /// <summary>Of a switch: whether the thread left the processor; otherwise it came.</summary>
    public bool IsSwitchOut => (Misc & SwitchOutBit) != 0;

    /// <summary>Of a switch-out: whether the thread could have gone on running.</summary>
    public bool IsPreempted => (Misc & PreemptedBit) != 0;

    /// <summary>Of a name: whether exec gave it.</summary>
    public bool IsExec => (Misc & SwitchOutBit) != 0;

    /// <summary>Thread and CPU the record was written for, from its sample fields or its trailer; -1 where it has none.</summary>
    public PerfRecordOrigin Origin
    {
        get
        {
            var layout = Event.Layout;
            var (tid, cpu) = Type == PerfRecordType.Sample
                ? (layout.Tid, layout.Cpu)
                : (Back(layout.TrailerTid), Back(layout.TrailerCpu));
            if (Type >= PerfRecordType.HeaderAttribute)
                tid = cpu = SampleLayout.Absent;
            return new PerfRecordOrigin(Int32(tid), tid < 0 ? -1 : Int32(tid + 4), Int32(cpu));
        }
    }

    /// <summary>Of Lost and LostSamples: how many records were lost; 0 for other types.</summary>
    public long LostCount => Type switch
    {
        PerfRecordType.Lost when Payload.Length >= 16 => BinaryPrimitives.ReadInt64LittleEndian(Payload[8..]),
        PerfRecordType.LostSamples when Payload.Length >= 8 => BinaryPrimitives.ReadInt64LittleEndian(Payload),
        _ => 0,
    };

    /// <summary>What stands between header and trailer.</summary>
    public ReadOnlySpan<byte> Payload
    {
        get
        {
            var trailer = Type is PerfRecordType.Sample or >= PerfRecordType.HeaderAttribute ? 0 : Event.Layout.TrailerSize;
            var length = Bytes.Length - SampleLayout.HeaderSize - trailer;
            return length > 0 ? Bytes.Slice(SampleLayout.HeaderSize, length) : default;
        }
    }

    /// <summary>Takes a sample apart.</summary>
    public bool TryReadSample(out PerfSample sample) => PerfSample.TryRead(this, out sample);

    /// <summary>Takes a mapping (Mmap, Mmap2) apart.</summary>
    public bool TryReadMapping(out PerfMapping mapping) => PerfMapping.TryRead(this, out mapping);

    /// <summary>Takes a name (Comm) apart: u32 process, u32 thread, then the name as UTF-8 without its zero.</summary>
    public bool TryReadComm(out int processId, out int threadId, out ReadOnlySpan<byte> name)
    {
        var payload = Payload;
        if (Type != PerfRecordType.Comm || payload.Length < 8)
        {
            processId = threadId = 0;
            name = default;
            return false;
        }

        processId = BinaryPrimitives.ReadInt32LittleEndian(payload);
        threadId = BinaryPrimitives.ReadInt32LittleEndian(payload[4..]);
        name = Text(payload[8..]);
        return true;
    }

    /// <summary>Takes a thread's creation or end (Fork, Exit) apart: u32 process, parent process, thread, parent thread, u64 time.</summary>
    public bool TryReadTask(out PerfTask task)
    {
        var payload = Payload;
        if (Type is not (PerfRecordType.Fork or PerfRecordType.Exit) || payload.Length < 24)
        {
            task = default;
            return false;
        }

        task = new PerfTask(
            BinaryPrimitives.ReadInt32LittleEndian(payload),
            BinaryPrimitives.ReadInt32LittleEndian(payload[4..]),
            BinaryPrimitives.ReadInt32LittleEndian(payload[8..]),
            BinaryPrimitives.ReadInt32LittleEndian(payload[12..]));
        return true;
    }

    /// <summary>Takes a thread's counter (Read) apart: u32 process, u32 thread, u64 value, time enabled, time running. Only where the event's read format names both times.</summary>
    public bool TryReadCount(out PerfCount count)
    {
        var payload = Payload;
        if (Type != PerfRecordType.Read || payload.Length < 32 || (Event.Settings.ReadFormat & PerfEventSettings.ReadTimes) != PerfEventSettings.ReadTimes)
        {
            count = default;
            return false;
        }

        count = new PerfCount(
            BinaryPrimitives.ReadInt32LittleEndian(payload),
            BinaryPrimitives.ReadInt32LittleEndian(payload[4..]),
            BinaryPrimitives.ReadInt64LittleEndian(payload[8..]),
            BinaryPrimitives.ReadInt64LittleEndian(payload[16..]),
            BinaryPrimitives.ReadInt64LittleEndian(payload[24..]));
        return true;
    }

    /// <summary>Takes a switch of a system-wide session apart: the thread that comes next (switch-out) or was there before (switch-in).</summary>
    public bool TryReadOtherThread(out int processId, out int threadId)
    {
        var payload = Payload;
        var valid = Type == PerfRecordType.SwitchCpuWide && payload.Length >= 8;
        processId = valid ? BinaryPrimitives.ReadInt32LittleEndian(payload) : 0;
        threadId = valid ? BinaryPrimitives.ReadInt32LittleEndian(payload[4..]) : 0;
        return valid;
    }

    /// <summary>Text up to its zero.</summary>
    internal static ReadOnlySpan<byte> Text(ReadOnlySpan<byte> bytes)
    {
        var end = bytes.IndexOf((byte)0);
        return end < 0 ? bytes : bytes[..end];
    }

    private int Back(int distance) => distance < 0 ? SampleLayout.Absent : Bytes.Length - distance;

    private int Int32(int offset) => offset >= SampleLayout.HeaderSize && offset + 4 <= Bytes.Length ? BinaryPrimitives.ReadInt32LittleEndian(Bytes[offset..]) : -1;
}

/// <summary>Where a record comes from.</summary>
/// <param name="ProcessId">Process, -1 when the record does not say (or the thread has ended).</param>
/// <param name="ThreadId">Thread, -1 when the record does not say.</param>
/// <param name="Cpu">Processor, -1 when the record does not say.</param>
public readonly record struct PerfRecordOrigin(int ProcessId, int ThreadId, int Cpu);

/// <summary>A thread that was created or ended.</summary>
/// <param name="ProcessId">Its process; equal to <paramref name="ThreadId"/> for the first thread of a process.</param>
/// <param name="ParentProcessId">Process that created it.</param>
/// <param name="ThreadId">The thread.</param>
/// <param name="ParentThreadId">Thread that created it.</param>
public readonly record struct PerfTask(int ProcessId, int ParentProcessId, int ThreadId, int ParentThreadId);

/// <summary>A counter of a thread.</summary>
/// <param name="ProcessId">Its process.</param>
/// <param name="ThreadId">The thread.</param>
/// <param name="Value">The count.</param>
/// <param name="EnabledTime">For how long it was to count, ns.</param>
/// <param name="RunningTime">For how long it counted, ns.</param>
public readonly record struct PerfCount(int ProcessId, int ThreadId, long Value, long EnabledTime, long RunningTime);

/// <summary>Records that were dropped by design, to be taken off what was recorded.</summary>
/// <param name="Samples">CPU samples and tracepoint hits.</param>
/// <param name="Switches">Context switches, in and out.</param>
/// <param name="Others">Other records.</param>
/// <param name="Lost">Losses that the dropped records told of.</param>
public readonly record struct PerfDroppedRecords(long Samples, long Switches, long Others, long Lost);
