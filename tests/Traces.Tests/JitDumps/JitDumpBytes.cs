using System.Text;

namespace EtwSerializerProfiler.Traces.Tests.JitDumps;

/// <summary>Bytes of a made-up jitdump, record by record.</summary>
internal sealed class JitDumpBytes
{
    private readonly List<byte> _file = [];

    public JitDumpBytes(ulong flags = 0, uint magic = 0x4A69_5444, uint version = 1, uint headerBytes = 40, uint machine = 62)
    {
        foreach (var value in (uint[])[magic, version, headerBytes, machine, 0, 100])
            _file.AddRange(BitConverter.GetBytes(value));
        _file.AddRange(Longs(1, flags));
    }

    /// <summary>Size so far.</summary>
    public int Length => _file.Count;

    /// <summary>Code of a size of 4 bytes unless given; its bytes follow.</summary>
    public JitDumpBytes Load(long time, ulong start, string name, ulong number, ulong size = 4) =>
        Load(time, start, name, number, new byte[size]);

    /// <summary>Code of these bytes.</summary>
    public JitDumpBytes Load(long time, ulong start, string name, ulong number, byte[] code) =>
        Record(
            0,
            time,
            [.. Longs(100UL | 101UL << 32, start, start, (ulong)code.Length, number), .. Encoding.UTF8.GetBytes(name), 0, .. code]
        );

    public JitDumpBytes Move(long time, ulong from, ulong to, ulong number, ulong size = 4) =>
        Record(1, time, Longs(100, to, from, to, size, number));

    public JitDumpBytes DebugInfo(long time) => Record(2, time, [.. Longs(0x1000, 1, 0x1000), 1, 0, 0, 0, 0, 0, 0, 0, .. "a.cs\0"u8]);

    public JitDumpBytes Close(long time) => Record(3, time, []);

    public JitDumpBytes Unwinding(long time) => Record(4, time, [.. Longs(16, 8, 16), .. new byte[16]]);

    public JitDumpBytes Record(uint kind, long time, byte[] body, uint? size = null)
    {
        _file.AddRange(BitConverter.GetBytes(kind));
        _file.AddRange(BitConverter.GetBytes(size ?? (uint)body.Length + 16));
        _file.AddRange(BitConverter.GetBytes(time));
        _file.AddRange(body);
        return this;
    }

    public byte[] ToArray() => [.. _file];

    private static byte[] Longs(params ulong[] values) => [.. values.SelectMany(BitConverter.GetBytes)];
}
