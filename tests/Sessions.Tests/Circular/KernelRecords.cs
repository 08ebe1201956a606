using System.Buffers.Binary;
using System.Text;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.Tests.Circular;

/// <summary>
/// Records as the kernel writes them for the sampling event of a plan, with the fields and trailer that <c>PerfEventPlan</c> requests.
/// </summary>
internal static class KernelRecords
{
    private const ulong Id = 100;

    /// <summary>The sampling event that the records belong to.</summary>
    public static PerfEvent Event { get; } =
        new(
            "cpu-clock:u",
            new PerfEventSettings
            {
                Kind = PerfEventKind.Software,
                SamplePeriod = 1_000_000,
                SampleFields =
                    PerfSampleFields.Identifier
                    | PerfSampleFields.Ip
                    | PerfSampleFields.Tid
                    | PerfSampleFields.Time
                    | PerfSampleFields.Cpu
                    | PerfSampleFields.Period
                    | PerfSampleFields.CallChain,
                Bits =
                    PerfEventBits.SampleIdAll
                    | PerfEventBits.UseClockId
                    | PerfEventBits.Mmap
                    | PerfEventBits.Mmap2
                    | PerfEventBits.Comm
                    | PerfEventBits.Task
                    | PerfEventBits.ContextSwitch,
                ClockId = PerfEventSettings.ClockMonotonic,
            },
            [Id]
        );

    public static byte[] Sample(long time, int process, int thread, int frames = 4) =>
        Record(
            PerfRecordType.Sample,
            2,
            [.. U64(Id, 0x1000), .. U32(process, thread), .. U64((ulong)time, 0, 1_000_000, (ulong)frames), .. U64(new ulong[frames])]
        );

    public static byte[] Switch(long time, int process, int thread, bool isOut) =>
        Other(PerfRecordType.Switch, isOut ? 0x2000 : 0, time, process, thread, []);

    public static byte[] Named(long time, int process, int thread, string name, bool isExec = false) =>
        Other(PerfRecordType.Comm, isExec ? 0x2000 : 0, time, process, thread, [.. U32(process, thread), .. Text(name)]);

    public static byte[] Begun(long time, int process, int thread, int parentProcess, int parentThread) =>
        Other(
            PerfRecordType.Fork,
            0,
            time,
            parentProcess,
            parentThread,
            [.. U32(process, parentProcess, thread, parentThread), .. U64((ulong)time)]
        );

    public static byte[] Ended(long time, int process, int thread) =>
        Other(PerfRecordType.Exit, 0, time, process, thread, [.. U32(process, process, thread, thread), .. U64((ulong)time)]);

    public static byte[] Mapped(long time, int process, ulong address, string path) =>
        Other(
            PerfRecordType.Mmap2,
            2,
            time,
            process,
            process,
            [.. U32(process, process), .. U64(address, 0x1000, 0), .. U32(8, 1), .. U64(4711, 0), .. U32(5, 2), .. Text(path)]
        );

    public static byte[] Lost(long time, int count) => Other(PerfRecordType.Lost, 0, time, 1, 1, U64(Id, (ulong)count));

    private static byte[] Other(PerfRecordType type, int misc, long time, int process, int thread, byte[] payload) =>
        Record(type, misc, [.. payload, .. U32(process, thread), .. U64((ulong)time, 0, Id)]);

    private static byte[] Record(PerfRecordType type, int misc, byte[] payload)
    {
        var bytes = new byte[8 + payload.Length];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, (int)type);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(4), (ushort)misc);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(6), (ushort)bytes.Length);
        payload.CopyTo(bytes, 8);
        return bytes;
    }

    private static byte[] U32(params int[] values) => [.. values.SelectMany(BitConverter.GetBytes)];

    private static byte[] U64(params ulong[] values) => [.. values.SelectMany(BitConverter.GetBytes)];

    private static byte[] Text(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        return [.. bytes, .. new byte[8 - (bytes.Length % 8)]];
    }
}
