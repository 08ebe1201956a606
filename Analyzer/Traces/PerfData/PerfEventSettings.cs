using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// Definition of an event and of its records: struct perf_event_attr of linux/perf_event.h, as for perf_event_open and in a perf.data file.
/// </summary>
/// <remarks>
/// Layout, little-endian: u32 type @0, u32 size @4, u64 config @8, u64 sample_period or sample_freq @16, u64 sample_type @24, u64
/// read_format @32, u64 bit field @40, u32 wakeup_events or wakeup_watermark @48, u32 bp_type @52, u64 config1 @56, u64 config2 @64, u64
/// branch_sample_type @72, u64 sample_regs_user @80, u32 sample_stack_user @88, s32 clockid @92, u64 sample_regs_intr @96, u32
/// aux_watermark @104, u16 sample_max_stack @108, u16 reserved, u32 aux_sample_size @112, u32 reserved, u64 sig_data @120. The first
/// published version ends at 64; missing fields of shorter ones are zero.
/// </remarks>
public sealed record PerfEventSettings
{
    /// <summary>
    /// Size written by this class: version 7 of the structure (kernel 5.13). An older kernel accepts it as long as its unknown fields are
    /// zero.
    /// </summary>
    public const int Size = 128;

    /// <summary>Size of the first published version.</summary>
    public const int MinSize = 64;

    /// <summary>
    /// <see cref="ReadFormat"/> with time enabled and time running (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING).
    /// </summary>
    public const ulong ReadTimes = 3;

    /// <summary><see cref="ReadFormat"/> with the event's id (PERF_FORMAT_ID).</summary>
    public const ulong ReadId = 4;

    /// <summary>CLOCK_MONOTONIC, the clock of EventPipe and Stopwatch.</summary>
    public const int ClockMonotonic = 1;

    /// <summary>Kind of event.</summary>
    public PerfEventKind Kind { get; init; }

    /// <summary>Event within its kind: 0 is cpu-clock among the software events; the id in tracefs for a tracepoint.</summary>
    public ulong Config { get; init; }

    /// <summary>Events between two samples (ns for cpu-clock), or Hz when <see cref="PerfEventBits.Frequency"/> is set.</summary>
    public ulong SamplePeriod { get; init; }

    /// <summary>Fields of a sample.</summary>
    public PerfSampleFields SampleFields { get; init; }

    /// <summary>Result of read(2) on the event (enum perf_event_read_format).</summary>
    public ulong ReadFormat { get; init; }

    /// <summary>The bit field.</summary>
    public PerfEventBits Bits { get; init; }

    /// <summary>Bytes in the ring after which the reader is readied, when <see cref="PerfEventBits.Watermark"/> is set.</summary>
    public uint WakeupWatermark { get; init; }

    /// <summary>Kinds of branch records (enum perf_branch_sample_type).</summary>
    public ulong BranchSampleType { get; init; }

    /// <summary>Bit mask of the user registers in a sample.</summary>
    public ulong RegistersUser { get; init; }

    /// <summary>Bytes of user stack in a sample.</summary>
    public uint StackUserBytes { get; init; }

    /// <summary>Clock of the times, when <see cref="PerfEventBits.UseClockId"/> is set.</summary>
    public int ClockId { get; init; }

    /// <summary>Maximum number of frames in a call chain; 0 for the kernel's default (127).</summary>
    public ushort MaxStack { get; init; }

    /// <summary>Whether it counts CPU time: cpu-clock (0) or task-clock (1) among the software events.</summary>
    public bool IsCpuClock => this is { Kind: PerfEventKind.Software, Config: 0 or 1 };

    /// <summary>
    /// Whether it counts cycles (0 among the hardware events; hybrid processors have the kind of core in the upper bits), and samples by
    /// frequency.
    /// </summary>
    public bool IsCyclesByFrequency =>
        Kind == PerfEventKind.Hardware && (Config & uint.MaxValue) == 0 && (Bits & PerfEventBits.Frequency) != 0 && SamplePeriod > 0;

    /// <summary>
    /// Whether samples have registers and stack after the fields in <see cref="SampleFields"/> (<see cref="WithUnlistedDump"/>).
    /// </summary>
    public bool HasUnlistedDump => (SampleFields & DumpFields) == 0 && RegistersUser != 0 && StackUserBytes != 0;

    private const PerfSampleFields DumpFields = PerfSampleFields.RegistersUser | PerfSampleFields.StackUser;

    /// <summary>
    /// The settings to write to a file when samples have a call chain as well as registers and stack: without the latter two among the
    /// sample's fields. perf treats a file with all of them as one of <c>--call-graph dwarf</c> and appends its own callers to each chain,
    /// starting with the leaf again. It does not read unlisted fields, because they are the last ones of a sample. Mask and size remain and
    /// show this reader that they exist.
    /// </summary>
    public PerfEventSettings WithUnlistedDump() =>
        (SampleFields & (DumpFields | PerfSampleFields.CallChain)) == (DumpFields | PerfSampleFields.CallChain)
            ? this with
            {
                SampleFields = SampleFields & ~DumpFields,
            }
            : this;

    /// <summary>Reads the structure, as much as its own size field states.</summary>
    /// <param name="bytes">At least <see cref="MinSize"/> bytes.</param>
    public static PerfEventSettings Read(ReadOnlySpan<byte> bytes)
    {
        Span<byte> full = stackalloc byte[Size];
        full.Clear();
        var size = (int)Math.Min(BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]), (uint)Size);
        bytes[..Math.Min(bytes.Length, size == 0 ? MinSize : size)].CopyTo(full);
        return new PerfEventSettings
        {
            Kind = (PerfEventKind)BinaryPrimitives.ReadInt32LittleEndian(full),
            Config = BinaryPrimitives.ReadUInt64LittleEndian(full[8..]),
            SamplePeriod = BinaryPrimitives.ReadUInt64LittleEndian(full[16..]),
            SampleFields = (PerfSampleFields)BinaryPrimitives.ReadUInt64LittleEndian(full[24..]),
            ReadFormat = BinaryPrimitives.ReadUInt64LittleEndian(full[32..]),
            Bits = (PerfEventBits)BinaryPrimitives.ReadUInt64LittleEndian(full[40..]),
            WakeupWatermark = BinaryPrimitives.ReadUInt32LittleEndian(full[48..]),
            BranchSampleType = BinaryPrimitives.ReadUInt64LittleEndian(full[72..]),
            RegistersUser = BinaryPrimitives.ReadUInt64LittleEndian(full[80..]),
            StackUserBytes = BinaryPrimitives.ReadUInt32LittleEndian(full[88..]),
            ClockId = BinaryPrimitives.ReadInt32LittleEndian(full[92..]),
            MaxStack = BinaryPrimitives.ReadUInt16LittleEndian(full[108..]),
        };
    }

    /// <summary>Writes the structure.</summary>
    /// <param name="bytes">At least <see cref="Size"/> bytes.</param>
    public void Write(Span<byte> bytes)
    {
        bytes = bytes[..Size];
        bytes.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(bytes, (int)Kind);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[4..], Size);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[8..], Config);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[16..], SamplePeriod);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[24..], (ulong)SampleFields);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[32..], ReadFormat);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[40..], (ulong)Bits);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[48..], WakeupWatermark);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[72..], BranchSampleType);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[80..], RegistersUser);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[88..], StackUserBytes);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[92..], ClockId);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes[108..], MaxStack);
    }
}
