using System.Buffers.Binary;
using System.Text;
using EtwSerializerProfiler.Etl;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>Samples, stacks and their code as single events.</summary>
public sealed partial class SyntheticEtl
{
    private static readonly Guid s_kernelTraceControl = new("b3e675d7-2554-4f18-830b-2762732560de");

    /// <summary>A CPU sample; its stack, if any, is written separately.</summary>
    public void BareSample(long at, int thread, ulong address)
    {
        Span<byte> payload = stackalloc byte[16];
        payload.Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(payload, address);
        BinaryPrimitives.WriteInt32LittleEndian(payload[8..], thread);
        PerfInfo(at, EtlKernelGroups.PerfInfo, 46, payload);
    }

    /// <summary>A stack, or a part of one, of the event that happened at <paramref name="eventAt"/> on a thread.</summary>
    public void Stack(long at, long eventAt, int process, int thread, ReadOnlySpan<ulong> addresses)
    {
        Span<byte> payload = stackalloc byte[16 + (8 * addresses.Length)];
        StackHead(payload, eventAt, process, thread);
        for (var i = 0; i < addresses.Length; i++)
            BinaryPrimitives.WriteUInt64LittleEndian(payload[(16 + (8 * i))..], addresses[i]);
        PerfInfo(at, EtlKernelGroups.StackWalk, 32, payload);
    }

    /// <summary>A stack with addresses of 4 bytes.</summary>
    public void Stack32(long at, long eventAt, int process, int thread, params uint[] addresses)
    {
        var payload = new byte[16 + (4 * addresses.Length)];
        StackHead(payload, eventAt, process, thread);
        for (var i = 0; i < addresses.Length; i++)
            BinaryPrimitives.WriteUInt32LittleEndian(payload.AsSpan(16 + (4 * i)), addresses[i]);
        _writer.Write(
            new EtlEventFields
            {
                HeaderType = EtlHeaderType.PerfInfo32,
                Timestamp = Ticks(at),
                Group = EtlKernelGroups.StackWalk,
                Opcode = 32,
                Version = 2,
            },
            payload
        );
    }

    /// <summary>The key of a part of a stack of the event that happened at <paramref name="eventAt"/>.</summary>
    public void StackKey(long at, long eventAt, int process, int thread, ulong key, bool isKernel)
    {
        Span<byte> payload = stackalloc byte[24];
        StackHead(payload, eventAt, process, thread);
        BinaryPrimitives.WriteUInt64LittleEndian(payload[16..], key);
        PerfInfo(at, EtlKernelGroups.StackWalk, (byte)(isKernel ? 37 : 38), payload);
    }

    /// <summary>The meaning of a key up to now; <paramref name="atEnd"/>: listed when the session ends.</summary>
    public void StackDefinition(long at, ulong key, bool atEnd, params ulong[] addresses)
    {
        var payload = new byte[8 + (8 * addresses.Length)];
        BinaryPrimitives.WriteUInt64LittleEndian(payload, key);
        for (var i = 0; i < addresses.Length; i++)
            BinaryPrimitives.WriteUInt64LittleEndian(payload.AsSpan(8 + (8 * i)), addresses[i]);
        PerfInfo(at, EtlKernelGroups.StackWalk, (byte)(atEnd ? 36 : 35), payload);
    }

    /// <summary>The letter of a volume: merged traces have it, in others TraceEvent queries Windows (SysConfig, type 35).</summary>
    public void Drive(string volume, string letter) =>
        _writer.Write(
            new EtlEventFields
            {
                HeaderType = EtlHeaderType.Full64,
                Timestamp = StartTicks,
                ProviderId = new Guid("9b79ee91-b5fd-41c0-a243-4248e266e9d0"),
                Opcode = 35,
                Version = 0,
            },
            Encoding.Unicode.GetBytes($"{volume}\0{letter}\0")
        );

    /// <summary>An image listed at the start of the session; process 0 has those of the kernel.</summary>
    public void Image(int process, ulong start, ulong length, string path) =>
        Image(0, EtlKernelGroups.Image, 3, process, start, length, path);

    /// <summary>An image that is loaded.</summary>
    public void ImageLoaded(long at, int process, ulong start, ulong length, string path) =>
        Image(at, EtlKernelGroups.Process, EtlKernelGroups.ImageLoad, process, start, length, path);

    /// <summary>An image that is unloaded.</summary>
    public void ImageUnloaded(long at, int process, ulong start, ulong length, string path) =>
        Image(at, EtlKernelGroups.Image, 2, process, start, length, path);

    /// <summary>The PDB file of an image, as merging a trace adds it (kernel trace control, DbgID_RSDS).</summary>
    public void ImageId(long at, int process, ulong start, Guid guid, int age, string pdb)
    {
        var payload = new byte[32 + pdb.Length + 1];
        BinaryPrimitives.WriteUInt64LittleEndian(payload, start);
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(8), process);
        guid.TryWriteBytes(payload.AsSpan(12));
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(28), age);
        Encoding.ASCII.GetBytes(pdb, payload.AsSpan(32));
        _writer.Write(
            new EtlEventFields
            {
                HeaderType = EtlHeaderType.Full64,
                Timestamp = Ticks(at),
                ProcessId = process,
                ThreadId = -1,
                ProviderId = s_kernelTraceControl,
                Opcode = 36,
                Version = 2,
            },
            payload
        );
    }

    /// <summary>A method was compiled; <paramref name="isRundown"/>: it is listed when the session ends.</summary>
    public void Method(
        long at,
        int process,
        int thread,
        long id,
        ulong start,
        uint size,
        string type,
        string name,
        bool isRundown = false,
        long module = 1
    ) =>
        Event(
            at,
            process,
            thread,
            isRundown ? s_rundown : s_clr,
            isRundown ? 144 : 143,
            1,
            MethodPayload(id, module, start, size, type, name)
        );

    /// <summary>The code of a method was freed.</summary>
    public void MethodFreed(long at, int process, int thread, long id, ulong start, uint size, string type, string name) =>
        Event(at, process, thread, s_clr, 144, 1, MethodPayload(id, 1, start, size, type, name));

    /// <summary>
    /// A managed module was loaded, or created in memory; <paramref name="isRundown"/>: it is listed when the session ends.
    /// </summary>
    public void Module(long at, int process, int thread, long id, string path, bool dynamic = false, bool isRundown = false)
    {
        var payload = new byte[24 + (2 * path.Length) + 4];
        BinaryPrimitives.WriteInt64LittleEndian(payload, id);
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(16), dynamic ? 4 : 0);
        Encoding.Unicode.GetBytes(path, payload.AsSpan(24));
        Event(at, process, thread, isRundown ? s_rundown : s_clr, isRundown ? 154 : 152, 1, payload);
    }

    /// <summary>Any event, with its time in ticks.</summary>
    public void Write(in EtlEventFields fields, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> extended = default) =>
        _writer.Write(fields, payload, extended);

    /// <summary>Bytes written so far.</summary>
    public long FileBytes => _writer.FileBytes;

    private static byte[] MethodPayload(long id, long module, ulong start, uint size, string type, string name)
    {
        const int jitted = 0x8;
        var texts = Encoding.Unicode.GetBytes($"{type}\0{name}\0void ()\0");
        var payload = new byte[36 + texts.Length + 2];
        BinaryPrimitives.WriteInt64LittleEndian(payload, id);
        BinaryPrimitives.WriteInt64LittleEndian(payload.AsSpan(8), module);
        BinaryPrimitives.WriteUInt64LittleEndian(payload.AsSpan(16), start);
        BinaryPrimitives.WriteUInt32LittleEndian(payload.AsSpan(24), size);
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(32), jitted);
        texts.CopyTo(payload, 36);
        return payload;
    }

    private void Image(long at, byte group, byte type, int process, ulong start, ulong length, string path)
    {
        var payload = new byte[56 + (2 * path.Length) + 2];
        BinaryPrimitives.WriteUInt64LittleEndian(payload, start);
        BinaryPrimitives.WriteUInt64LittleEndian(payload.AsSpan(8), length);
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(16), process);
        Encoding.Unicode.GetBytes(path, payload.AsSpan(56));
        Kernel(at, group, type, 3, payload, process, -1);
    }

    private static void StackHead(Span<byte> payload, long eventAt, int process, int thread)
    {
        BinaryPrimitives.WriteInt64LittleEndian(payload, Ticks(eventAt));
        BinaryPrimitives.WriteInt32LittleEndian(payload[8..], process);
        BinaryPrimitives.WriteInt32LittleEndian(payload[12..], thread);
    }
}
