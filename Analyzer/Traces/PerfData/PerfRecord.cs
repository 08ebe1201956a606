using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// A record as a view over the reader's buffer: valid until the next one is read. Layouts: enum perf_event_type in linux/perf_event.h. The
/// parsing methods return false if the bytes do not fit the record's type, as in a damaged file.
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

    /// <summary>The whole record, starting with its header (u32 type, u16 misc, u16 size).</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>Its event; the first event if the record names none.</summary>
    public PerfEvent Event { get; }

    /// <summary>Time in ns of the event's clock; 0 when the record has none.</summary>
    public long Time { get; }

    /// <summary>The same record with another time.</summary>
    internal PerfRecord At(long time) => new(Bytes, Event, time, FileOffset);

    /// <summary>Offset in the file.</summary>
    public long FileOffset { get; }

    /// <summary>Kind.</summary>
    public PerfRecordType Type => (PerfRecordType)BinaryPrimitives.ReadInt32LittleEndian(Bytes);

    /// <summary>Bits whose meaning depends on the type (PERF_RECORD_MISC_*).</summary>
    public int Misc => BinaryPrimitives.ReadUInt16LittleEndian(Bytes[4..]);

    /// <summary>For a sample: whether the processor was in kernel mode.</summary>
    public bool IsKernelMode => (Misc & 7) == 1;

    /// <summary>For a switch: whether it is a switch-out instead of a switch-in.</summary>
    public bool IsSwitchOut => (Misc & SwitchOutBit) != 0;

    /// <summary>For a switch-out: whether the thread was preempted.</summary>
    public bool IsPreempted => (Misc & PreemptedBit) != 0;

    /// <summary>For a name: whether exec set it.</summary>
    public bool IsExec => (Misc & SwitchOutBit) != 0;

    /// <summary>Thread and CPU of the record, from its sample fields or its trailer; -1 if missing.</summary>
    public PerfRecordOrigin Origin
    {
        get
        {
            var layout = Event.Layout;
            var (tid, cpu) = Type == PerfRecordType.Sample ? (layout.Tid, layout.Cpu) : (Back(layout.TrailerTid), Back(layout.TrailerCpu));
            if (Type >= PerfRecordType.HeaderAttribute)
                tid = cpu = SampleLayout.Absent;
            return new PerfRecordOrigin(Int32(tid), tid < 0 ? -1 : Int32(tid + 4), Int32(cpu));
        }
    }

    /// <summary>For Lost and LostSamples: number of lost records; 0 for other types.</summary>
    public long LostCount =>
        Type switch
        {
            PerfRecordType.Lost when Payload.Length >= 16 => BinaryPrimitives.ReadInt64LittleEndian(Payload[8..]),
            PerfRecordType.LostSamples when Payload.Length >= 8 => BinaryPrimitives.ReadInt64LittleEndian(Payload),
            _ => 0,
        };

    /// <summary>The bytes between header and trailer.</summary>
    public ReadOnlySpan<byte> Payload
    {
        get
        {
            var trailer = Type is PerfRecordType.Sample or >= PerfRecordType.HeaderAttribute ? 0 : Event.Layout.TrailerSize;
            var length = Bytes.Length - SampleLayout.HeaderSize - trailer;
            return length > 0 ? Bytes.Slice(SampleLayout.HeaderSize, length) : default;
        }
    }

    /// <summary>Parses a sample.</summary>
    public bool TryReadSample(out PerfSample sample) => PerfSample.TryRead(this, out sample);

    /// <summary>Parses a mapping (Mmap, Mmap2).</summary>
    public bool TryReadMapping(out PerfMapping mapping) => PerfMapping.TryRead(this, out mapping);

    /// <summary>Parses a name (Comm): u32 process, u32 thread, then the name as UTF-8 without its zero.</summary>
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

    /// <summary>Parses a thread's creation or end (Fork, Exit): u32 process, parent process, thread, parent thread, u64 time.</summary>
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
            BinaryPrimitives.ReadInt32LittleEndian(payload[12..])
        );
        return true;
    }

    /// <summary>
    /// Parses a thread's counter (Read): u32 process, u32 thread, u64 value, time enabled, time running. Only if the event's read format
    /// has both times.
    /// </summary>
    public bool TryReadCount(out PerfCount count)
    {
        var payload = Payload;
        if (
            Type != PerfRecordType.Read
            || payload.Length < 32
            || (Event.Settings.ReadFormat & PerfEventSettings.ReadTimes) != PerfEventSettings.ReadTimes
        )
        {
            count = default;
            return false;
        }

        count = new PerfCount(
            BinaryPrimitives.ReadInt32LittleEndian(payload),
            BinaryPrimitives.ReadInt32LittleEndian(payload[4..]),
            BinaryPrimitives.ReadInt64LittleEndian(payload[8..]),
            BinaryPrimitives.ReadInt64LittleEndian(payload[16..]),
            BinaryPrimitives.ReadInt64LittleEndian(payload[24..])
        );
        return true;
    }

    /// <summary>Parses a switch of a system-wide session: the next thread (switch-out) or the previous one (switch-in).</summary>
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

    private int Int32(int offset) =>
        offset >= SampleLayout.HeaderSize && offset + 4 <= Bytes.Length ? BinaryPrimitives.ReadInt32LittleEndian(Bytes[offset..]) : -1;
}

/// <summary>Origin of a record.</summary>
/// <param name="ProcessId">Process; -1 when the record lacks it (or the thread ended).</param>
/// <param name="ThreadId">Thread; -1 when the record lacks it.</param>
/// <param name="Cpu">Processor; -1 when the record lacks it.</param>
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
/// <param name="EnabledTime">Time that it was enabled, ns.</param>
/// <param name="RunningTime">Time that it counted, ns.</param>
public readonly record struct PerfCount(int ProcessId, int ThreadId, long Value, long EnabledTime, long RunningTime);

/// <summary>Records dropped by design, to be subtracted from what was recorded.</summary>
/// <param name="Samples">CPU samples and tracepoint hits.</param>
/// <param name="Switches">Context switches, in and out.</param>
/// <param name="Others">Other records.</param>
/// <param name="Lost">Losses reported by the dropped records.</param>
public readonly record struct PerfDroppedRecords(long Samples, long Switches, long Others, long Lost);
