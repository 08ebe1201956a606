namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>
/// Hand-made perf.data files. Event 0 is cpu-clock with a call chain (ids 100, 101), event 1 the tracepoint 372 with a payload (id 200).
/// Sample fields:
/// IDENTIFIER, IP, TID, TIME, CPU, PERIOD, and CALLCHAIN or RAW; other records end with TID, TIME, CPU, IDENTIFIER.
/// </summary>
internal static class HandMade
{
    public const ulong Common = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 7 | 1 << 8 | 1 << 16;
    public const ulong CallChain = 1 << 5;
    public const ulong Raw = 1 << 10;
    public const ulong SampleIdAll = 1 << 18;
    public const int DataAt = 104 + 24 + 2 * (128 + 16);

    public const string SwitchFormat = """
        name: sched_switch
        ID: 372
        format:
        	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
        	field:int common_pid;	offset:4;	size:4;	signed:1;

        	field:char prev_comm[16];	offset:8;	size:16;	signed:0;
        	field:pid_t prev_pid;	offset:24;	size:4;	signed:1;
        	field:long prev_state;	offset:32;	size:8;	signed:1;
        	field:char next_comm[16];	offset:40;	size:16;	signed:0;
        	field:pid_t next_pid;	offset:56;	size:4;	signed:1;

        print fmt: "prev_comm=%s", REC->prev_comm
        """;

    /// <summary>A file without features around records.</summary>
    /// <param name="data">The records.</param>
    /// <param name="size">Data size for the header, the true one unless given.</param>
    public static byte[] File(byte[] data, ulong? size = null) =>
        new Bytes()
            .U8("PERFILE2"u8.ToArray())
            .U64(104, 128 + 16)
            .U64(104 + 24, 2 * (128 + 16))
            .U64(DataAt, size ?? (ulong)data.Length)
            .U64(0, 0)
            .U64(0, 0, 0, 0)
            .U64(100, 101, 200)
            .Add(Attribute(1, 0, 1_000_000, Common | CallChain))
            .U64(104, 16)
            .Add(Attribute(2, 372, 1, Common | Raw))
            .U64(104 + 16, 8)
            .Add(data);

    /// <summary>Sets the flags of both events that they use CLOCK_MONOTONIC and include mappings.</summary>
    public static byte[] WithClock(byte[] file)
    {
        const int BitsAt = 40;
        for (var attribute = 0; attribute < 2; attribute++)
        {
            var bits = file.AsSpan(104 + 24 + attribute * (128 + 16) + BitsAt);
            System.Buffers.Binary.BinaryPrimitives.WriteUInt64LittleEndian(bits, SampleIdAll | 1 << 25 | 1 << 23 | 1 << 8);
        }

        return file;
    }

    public static byte[] Attribute(uint type, ulong config, ulong period, ulong sampleType, ulong bits = SampleIdAll) =>
        new Bytes()
            .U32(type, 128)
            .U64(config, period, sampleType, 0, bits)
            .U32(0, 0)
            .U64(0, 0, 0, 0)
            .U32(0, 1)
            .U64(0)
            .U32(0)
            .U16(0, 0)
            .U32(0, 0)
            .U64(0);

    public static byte[] CpuSample(ulong time, uint pid, uint tid, uint cpu, params ulong[] chain) =>
        Bytes.Record(
            9,
            2,
            new Bytes()
                .U64(100 + cpu, chain.Length > 0 ? chain[^1] : 0)
                .U32(pid, tid)
                .U64(time)
                .U32(cpu, 0)
                .U64(1_000_000, (ulong)chain.Length)
                .U64(chain)
        );

    public static byte[] SwitchTracepoint(ulong time, uint cpu, int previous, long state, int next) =>
        Bytes.Record(
            9,
            1,
            new Bytes()
                .U64(200, 0xffffffff81000000)
                .U32((uint)previous, (uint)previous)
                .U64(time)
                .U32(cpu, 0)
                .U64(1)
                .U32(68)
                .U8(new byte[24])
                .U32((uint)previous, 120)
                .U64((ulong)state)
                .U8(new byte[16])
                .U32((uint)next, 120)
                .U32(0)
        );

    public static byte[] Other(uint type, ushort misc, ulong time, uint pid, uint tid, uint cpu, byte[] payload) =>
        Bytes.Record(type, misc, new Bytes().Add(payload).U32(pid, tid).U64(time).U32(cpu, 0).U64(100 + cpu));

    public static byte[] Exit(ulong time, uint pid, uint tid) =>
        Other(4, 0, time, pid, tid, 0, new Bytes().U32(pid, pid, tid, tid).U64(time));

    public static byte[] Round() => Bytes.Record(68, 0, []);

    /// <summary>One record of every kind this tool writes, times 1 to 11.</summary>
    public static byte[][] Everything() =>
        [
            Other(3, 1 << 13, 1, 7, 7, 0, new Bytes().U32(7, 7).Text("dotnet", 8)),
            Other(
                10,
                2,
                2,
                7,
                7,
                0,
                new Bytes().U32(7, 7).U64(0x7f0000000000, 0x2000, 0x1000).U32(8, 1).U64(4711, 0).U32(5, 2).Text("/usr/lib/libcoreclr.so", 8)
            ),
            Other(
                10,
                2 | 1 << 14,
                3,
                7,
                7,
                0,
                new Bytes()
                    .U32(7, 7)
                    .U64(0x7f1000000000, 0x3000, 0)
                    .U8(4, 0, 0, 0, 0xde, 0xad, 0xbe, 0xef)
                    .U64(0, 0)
                    .U32(5, 2)
                    .Text("/lib/libc.so.6", 8)
            ),
            Other(7, 0, 4, 7, 8, 0, new Bytes().U32(7, 7, 8, 7).U64(4)),
            CpuSample(5, 7, 8, 1, unchecked((ulong)-512L), 0x7f0000000010, 0x7f0000000020),
            Other(14, 1 << 13, 6, 7, 8, 1, []),
            Other(14, 1 << 13 | 1 << 14, 7, 7, 8, 1, []),
            SwitchTracepoint(8, 1, 8, 1, 0),
            Other(15, 0, 9, 7, 8, 0, new Bytes().U32(70, 71)),
            Other(2, 0, 10, 7, 8, 1, new Bytes().U64(101, 17)),
            Other(4, 0, 11, 7, 8, 1, new Bytes().U32(7, 7, 8, 7).U64(11)),
        ];

    public static byte[] Join(params IEnumerable<byte[]> parts) => [.. parts.SelectMany(part => part)];
}
