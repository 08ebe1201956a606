using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// A sample or tracepoint event; a view, valid until the next record is read. Fields that the event does not record are 0 or empty; ids are
/// -1.
/// </summary>
public readonly ref struct PerfSample
{
    /// <summary>PERF_SAMPLE_BRANCH_HW_INDEX: an index before the branch records.</summary>
    private const ulong BranchHardwareIndex = 1UL << 17;

    /// <summary>PERF_SAMPLE_BRANCH_COUNTERS: a counter word for each branch after them.</summary>
    private const ulong BranchCounters = 1UL << 19;

    private PerfSample(
        PerfRecord record,
        ReadOnlySpan<ulong> callChain,
        ReadOnlySpan<byte> raw,
        ReadOnlySpan<byte> registers,
        ReadOnlySpan<byte> stack
    )
    {
        var layout = record.Event.Layout;
        var bytes = record.Bytes;
        Event = record.Event;
        Time = record.Time;
        IsKernelMode = record.IsKernelMode;
        Ip = UInt64(bytes, layout.Ip);
        ProcessId = layout.Tid < 0 ? -1 : BinaryPrimitives.ReadInt32LittleEndian(bytes[layout.Tid..]);
        ThreadId = layout.Tid < 0 ? -1 : BinaryPrimitives.ReadInt32LittleEndian(bytes[(layout.Tid + 4)..]);
        Cpu = layout.Cpu < 0 ? -1 : BinaryPrimitives.ReadInt32LittleEndian(bytes[layout.Cpu..]);
        Address = UInt64(bytes, layout.Address);
        Period = UInt64(bytes, layout.Period);
        CallChain = callChain;
        Raw = raw;
        UserRegisters = MemoryMarshal.Cast<byte, ulong>(registers);
        UserStack = stack;
    }

    /// <summary>The event.</summary>
    public PerfEvent Event { get; }

    /// <summary>Time in ns of the event's clock.</summary>
    public long Time { get; }

    /// <summary>Whether the processor was in kernel mode.</summary>
    public bool IsKernelMode { get; }

    /// <summary>Instruction address.</summary>
    public ulong Ip { get; }

    /// <summary>Process.</summary>
    public int ProcessId { get; }

    /// <summary>Thread.</summary>
    public int ThreadId { get; }

    /// <summary>Processor.</summary>
    public int Cpu { get; }

    /// <summary>Data address.</summary>
    public ulong Address { get; }

    /// <summary>Number of events that the sample represents; ns for cpu-clock.</summary>
    public ulong Period { get; }

    /// <summary>
    /// For an event that samples CPU time: the time that the sample represents, in ns. For a clock, from the sample or the event's
    /// settings; for cycles, the time between two samples.
    /// </summary>
    public long CpuTicks =>
        Event.Settings.IsCyclesByFrequency
            ? (long)(1_000_000_000 / Event.Settings.SamplePeriod)
            : (long)Math.Min(Period != 0 ? Period : Event.Settings.SamplePeriod, long.MaxValue);

    /// <summary>Call chain, leaf first, with markers (<see cref="PerfContext"/>) before each part.</summary>
    public ReadOnlySpan<ulong> CallChain { get; }

    /// <summary>Payload of a tracepoint, with the layout of <see cref="PerfEvent.Format"/>.</summary>
    public ReadOnlySpan<byte> Raw { get; }

    /// <summary>User registers in the order of the attribute's mask; empty for a kernel thread.</summary>
    public ReadOnlySpan<ulong> UserRegisters { get; }

    /// <summary>Copy of the user stack from the stack pointer on.</summary>
    public ReadOnlySpan<byte> UserStack { get; }

    internal static bool TryRead(PerfRecord record, out PerfSample sample)
    {
        sample = default;
        var layout = record.Event.Layout;
        var settings = record.Event.Settings;
        var fields = settings.SampleFields;
        var bytes = record.Bytes;
        if (record.Type != PerfRecordType.Sample || bytes.Length < layout.FixedSize)
            return false;

        var rest = bytes[layout.FixedSize..];
        var chain = default(ReadOnlySpan<ulong>);
        var raw = default(ReadOnlySpan<byte>);
        if ((fields & PerfSampleFields.Read) != 0 && !SkipCounters(layout, ref rest))
            return false;

        if ((fields & PerfSampleFields.CallChain) != 0)
        {
            if (!TakeCount(ref rest, 8, out var length))
                return false;
            chain = MemoryMarshal.Cast<byte, ulong>(rest[..length]);
            rest = rest[length..];
        }

        if ((fields & PerfSampleFields.Raw) != 0)
        {
            if (rest.Length < 4)
                return false;
            var length = BinaryPrimitives.ReadUInt32LittleEndian(rest);
            if (length > rest.Length - 4)
                return false;
            raw = rest.Slice(4, (int)length);
            rest = rest[(4 + (int)length)..];
        }

        if ((fields & PerfSampleFields.BranchStack) != 0)
        {
            if (rest.Length < 8)
                return false;
            var count = BinaryPrimitives.ReadUInt64LittleEndian(rest);
            var branch = 24 + ((settings.BranchSampleType & BranchCounters) != 0 ? 8UL : 0);
            var length = 8 + ((settings.BranchSampleType & BranchHardwareIndex) != 0 ? 8UL : 0) + Math.Min(count, ushort.MaxValue) * branch;
            if (length > (ulong)rest.Length)
                return false;
            rest = rest[(int)length..];
        }

        var isUnlisted = settings.HasUnlistedDump && rest.Length > 0;
        if (
            !TryTakeDump(
                isUnlisted ? PerfSampleFields.RegistersUser | PerfSampleFields.StackUser : fields,
                settings.RegistersUser,
                rest,
                out var registers,
                out var stack
            ) && !isUnlisted
        )
            return false;

        sample = new PerfSample(record, chain, raw, registers, stack);
        return true;
    }

    private static bool TryTakeDump(
        PerfSampleFields fields,
        ulong mask,
        ReadOnlySpan<byte> rest,
        out ReadOnlySpan<byte> registers,
        out ReadOnlySpan<byte> stack
    )
    {
        registers = default;
        stack = default;
        if ((fields & PerfSampleFields.RegistersUser) != 0)
        {
            if (rest.Length < 8)
                return false;
            var length = BinaryPrimitives.ReadUInt64LittleEndian(rest) == 0 ? 0 : 8 * BitOperations.PopCount(mask);
            if (length > rest.Length - 8)
                return false;
            registers = rest.Slice(8, length);
            rest = rest[(8 + length)..];
        }

        if ((fields & PerfSampleFields.StackUser) != 0)
        {
            if (!TakeCount(ref rest, 1, out var length))
                return false;
            if (length > 0)
            {
                // The number of bytes really copied follows the bytes.
                if (rest.Length < length + 8)
                    return false;
                var copied = BinaryPrimitives.ReadUInt64LittleEndian(rest[length..]);
                stack = rest[..(int)Math.Min(copied, (ulong)length)];
            }
        }

        return true;
    }

    private static bool SkipCounters(SampleLayout layout, ref ReadOnlySpan<byte> rest)
    {
        if (rest.Length < layout.ReadHead)
            return false;
        var length = (ulong)layout.ReadHead;
        if (layout.ReadGrouped)
            length += Math.Min(BinaryPrimitives.ReadUInt64LittleEndian(rest), ushort.MaxValue) * (ulong)layout.ReadCounter;
        if (length > (ulong)rest.Length)
            return false;
        rest = rest[(int)length..];
        return true;
    }

    /// <summary>Reads a u64 count and checks that as many items follow.</summary>
    private static bool TakeCount(ref ReadOnlySpan<byte> rest, int itemSize, out int length)
    {
        length = 0;
        if (rest.Length < 8)
            return false;
        var count = BinaryPrimitives.ReadUInt64LittleEndian(rest);
        rest = rest[8..];
        if (count > (ulong)(rest.Length / itemSize))
            return false;
        length = (int)count * itemSize;
        return true;
    }

    private static ulong UInt64(ReadOnlySpan<byte> bytes, int offset) =>
        offset < 0 ? 0 : BinaryPrimitives.ReadUInt64LittleEndian(bytes[offset..]);
}
