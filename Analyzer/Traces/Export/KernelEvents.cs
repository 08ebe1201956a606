using System.Buffers.Binary;
using System.Text;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Writes events as Windows' kernel session does: payloads of the MOF classes of the Windows SDK (Process_V4_TypeGroup1,
/// Thread_V4_TypeGroup1, ThreadSetName, Image_V3, CSwitch_V2, ReadyThread, SampledProfile, SampledProfileInterval_V3, StackWalk_Event,
/// SystemConfig_V2_CPU), 64-bit. Allocates only for processes, threads and images.
/// </summary>
/// <param name="writer">Receives them.</param>
internal sealed class KernelEvents(EtlWriter writer) : IMachineEvents
{
    /// <summary>Group of the machine's description.</summary>
    private const byte SystemConfig = 0x0B;

    // Types of processes, threads and images; listed when the session begins.
    public const byte Start = 1;
    public const byte End = 2;
    public const byte Listed = 3;

    // KTHREAD_STATE of the outgoing thread.
    public const byte Ready = 1;
    public const byte Terminated = 4;
    public const byte Waiting = 5;

    /// <summary>Maximum number of addresses of a stack that fit into a record of 64 KB.</summary>
    private const int MaxFrames = 8000;

    /// <summary>Provider of the events on the machine that merging adds to a file.</summary>
    private static readonly Guid s_sysConfig = new("9b79ee91-b5fd-41c0-a243-4248e266e9d0");

    private readonly byte[] _scratch = new byte[24];
    private byte[] _stack = new byte[16 + 8 * 512];

    /// <inheritdoc />
    public void Begin(long time, RecordedThreads threads, KernelMapping? kernel)
    {
        if (threads.SampleInterval > 0)
            SampleInterval(time, (int)Math.Min(threads.SampleInterval / 100, int.MaxValue));
        Process(time, Listed, 0, 0, 0, "Idle", "");
        Thread(time, 0, Listed, 0, 0, "");
        Process(time, Listed, PseudoThreads.Process, 0, 0, PseudoThreads.Name, "");
        for (var processor = 0; processor <= threads.LastProcessor; processor++)
            Thread(time, 0, Listed, PseudoThreads.Process, PseudoThreads.Of(processor), PseudoThreads.Name);
        if (kernel is { } mapped)
            Image(time, 0, Listed, 0, mapped.Start, mapped.Length, 0, SymbolFiles.KernelModule, "");
    }

    /// <inheritdoc />
    public void Process(long time, byte type, ProcessFacts process, int parent, int exitCode) =>
        Process(time, type, process.ProcessId, parent, exitCode, process.Image, process.CommandLine);

    /// <summary>Writes nothing: code memory is not an image, and tools would treat it as the file of its methods.</summary>
    public void Memory(long time, int process, ulong start, ulong length) { }

    /// <summary>Writes nothing: methods and the names of stacks follow at the end, as events of the runtime's rundown.</summary>
    public void Symbol(long time, int process, bool isKernel, ulong start, ulong last, string name) { }

    /// <inheritdoc />
    public void Sample(long time, int processor, int process, int thread, ulong address, ushort stackEnd, ReadOnlySpan<ulong> frames)
    {
        Sample(time, processor, thread, address, stackEnd);
        if (!frames.IsEmpty)
            Stack(time, processor, process, thread, frames);
    }

    /// <inheritdoc />
    public void SwitchedOut(long time, int processor, int process, int thread, byte state, byte reason) =>
        Switch(time, processor, PseudoThreads.Of(processor), thread, state, reason);

    /// <inheritdoc />
    public void SwitchedIn(long time, int processor, int process, int thread, ReadOnlySpan<ulong> frames)
    {
        Switch(time, processor, thread, PseudoThreads.Of(processor), Ready, 0);
        if (!frames.IsEmpty)
            Stack(time, processor, process, thread, frames);
    }

    /// <summary>The machine (SystemConfig, CPU).</summary>
    public void Machine(long time, int megahertz, int processors, long memoryBytes, string computer)
    {
        var payload = new byte[808];
        Int32(payload, 0, megahertz);
        Int32(payload, 4, processors);
        Int32(payload, 8, (int)Math.Min(memoryBytes >> 20, int.MaxValue));
        Int32(payload, 12, 4096);
        Int32(payload, 16, 65536);
        Encoding.Unicode.GetBytes(computer.AsSpan(0, Math.Min(255, computer.Length)), payload.AsSpan(20));
        System(time, 0, SystemConfig, 10, 2, 0, 0, payload);
    }

    /// <summary>
    /// The volume of paths, which merging adds (SysConfig, VolumeMapping); Linux paths stay as they are. Without this event, TraceEvent
    /// queries the drives of the machine it runs on.
    /// </summary>
    public void Volume(long time) =>
        writer.Write(
            new EtlEventFields
            {
                HeaderType = EtlHeaderType.Full64,
                Timestamp = time,
                ProviderId = s_sysConfig,
                Opcode = 35,
                Version = 0,
            },
            Encoding.Unicode.GetBytes("/\0/\0")
        );

    /// <summary>Interval of the CPU samples (PerfInfo, CollectionStart), in units of 100 ns.</summary>
    public void SampleInterval(long time, int interval)
    {
        var payload = new byte[12 + 12];
        Int32(payload, 4, interval);
        Int32(payload, 8, interval);
        Encoding.Unicode.GetBytes("Timer", payload.AsSpan(12));
        System(time, 0, EtlKernelGroups.PerfInfo, 73, 3, 0, 0, payload);
    }

    /// <summary>A process began, ended or is listed.</summary>
    public void Process(long time, byte type, int process, int parent, int exitCode, string image, string commandLine)
    {
        // TOKEN_USER (two pointers), then the SID of nobody (S-1-0-0), because the user is not recorded.
        const int sidAt = 36 + 16;
        var name = Encoding.UTF8.GetBytes(ExportedProcess.Cut(image) + "\0");
        var texts = Encoding.Unicode.GetBytes(Shortened(commandLine) + "\0\0\0");
        var payload = new byte[sidAt + 12 + name.Length + texts.Length];
        Int64(payload, 0, process); // UniqueProcessKey: an address on Windows
        Int32(payload, 8, process);
        Int32(payload, 12, parent);
        Int32(payload, 20, exitCode);
        payload[36] = payload[sidAt] = payload[sidAt + 1] = 1;
        name.CopyTo(payload, sidAt + 12);
        texts.CopyTo(payload, sidAt + 12 + name.Length);
        System(time, 0, EtlKernelGroups.Process, type, 4, process, -1, payload);
    }

    /// <summary>A thread began, ended or is listed.</summary>
    public void Thread(long time, int processor, byte type, int process, int thread, string name)
    {
        name = ExportedProcess.Cut(name);
        var payload = new byte[72 + 2 * name.Length + 2];
        Int32(payload, 0, process);
        Int32(payload, 4, thread);
        Encoding.Unicode.GetBytes(name, payload.AsSpan(72));
        System(time, processor, EtlKernelGroups.Thread, type, 4, process, thread, payload);
    }

    /// <summary>A thread got a name.</summary>
    public void ThreadName(long time, int processor, int process, int thread, string name)
    {
        name = ExportedProcess.Cut(name);
        var payload = new byte[8 + 2 * name.Length + 2];
        Int32(payload, 0, process);
        Int32(payload, 4, thread);
        Encoding.Unicode.GetBytes(name, payload.AsSpan(8));
        System(time, processor, EtlKernelGroups.Thread, Etw.KernelPayload.ThreadSetName, 2, process, thread, payload);
    }

    /// <summary>
    /// An image was loaded, unloaded or is listed. Its file offset is in two reserved fields (<see cref="Etw.KernelPayload.FileOffset"/>).
    /// </summary>
    public void Image(
        long time,
        int processor,
        byte type,
        int process,
        ulong start,
        ulong length,
        ulong fileOffset,
        string path,
        string buildId
    )
    {
        var payload = new byte[56 + 2 * path.Length + 2];
        Int64(payload, 0, (long)start);
        Int64(payload, 8, (long)length);
        Int32(payload, 16, process);
        Int64(payload, 32, (long)start);
        Int64(payload, Etw.KernelPayload.FileOffsetAt, (long)fileOffset);
        Encoding.Unicode.GetBytes(path, payload.AsSpan(56));
        var isLoad = type == Start;
        System(
            time,
            processor,
            isLoad ? EtlKernelGroups.Process : EtlKernelGroups.Image,
            isLoad ? EtlKernelGroups.ImageLoad : type,
            3,
            process,
            -1,
            payload
        );
    }

    /// <summary>
    /// A CPU sample; <paramref name="stackEnd"/> describes the end of its stack (<see cref="Etw.KernelPayload.StackIsCut"/>).
    /// </summary>
    public void Sample(long time, int processor, int thread, ulong address, ushort stackEnd)
    {
        var payload = _scratch.AsSpan(0, 16);
        BinaryPrimitives.WriteUInt64LittleEndian(payload, address);
        BinaryPrimitives.WriteInt32LittleEndian(payload[8..], thread);
        BinaryPrimitives.WriteUInt16LittleEndian(payload[12..], 1);
        BinaryPrimitives.WriteUInt16LittleEndian(payload[14..], stackEnd);
        PerfInfo(time, processor, EtlKernelGroups.PerfInfo, Etw.KernelPayload.SampledProfile, payload);
    }

    /// <summary>A context switch.</summary>
    /// <param name="time">Time of the switch.</param>
    /// <param name="processor">Processor of the switch.</param>
    /// <param name="newThread">The incoming thread.</param>
    /// <param name="oldThread">The outgoing thread.</param>
    /// <param name="oldState">KTHREAD_STATE of the outgoing thread.</param>
    /// <param name="oldReason">KWAIT_REASON of the outgoing thread.</param>
    public void Switch(long time, int processor, int newThread, int oldThread, byte oldState, byte oldReason)
    {
        var payload = _scratch.AsSpan(0, 24);
        payload.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(payload, newThread);
        BinaryPrimitives.WriteInt32LittleEndian(payload[4..], oldThread);
        payload[8] = payload[9] = 8; // normal priority: that of Linux is not recorded
        payload[12] = oldReason;
        payload[13] = 1; // user mode
        payload[14] = oldState;
        PerfInfo(time, processor, EtlKernelGroups.Thread, Etw.KernelPayload.ContextSwitch, payload);
    }

    /// <summary>A thread was readied; the header names the readying thread.</summary>
    public void ReadyThread(long time, int processor, int byProcess, int byThread, int thread)
    {
        var payload = _scratch.AsSpan(0, 8);
        payload.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(payload, thread);
        payload[4] = 1; // unwait
        writer.Write(
            new EtlEventFields
            {
                HeaderType = EtlHeaderType.Compact64,
                Timestamp = time,
                Processor = processor,
                ProcessId = byProcess,
                ThreadId = byThread,
                Group = EtlKernelGroups.Thread,
                Opcode = Etw.KernelPayload.ReadyThread,
                Version = 2,
            },
            payload
        );
    }

    /// <summary>The stack of the event with this time and thread, leaf first: the kernel's frames, then the program's.</summary>
    public void Stack(long time, int processor, int process, int thread, ReadOnlySpan<ulong> frames)
    {
        frames = frames[..Math.Min(frames.Length, MaxFrames)];
        var bytes = 16 + 8 * frames.Length;
        if (_stack.Length < bytes)
            _stack = new byte[bytes];
        var payload = _stack.AsSpan(0, bytes);
        BinaryPrimitives.WriteInt64LittleEndian(payload, time);
        BinaryPrimitives.WriteInt32LittleEndian(payload[8..], process);
        BinaryPrimitives.WriteInt32LittleEndian(payload[12..], thread);
        for (var i = 0; i < frames.Length; i++)
            BinaryPrimitives.WriteUInt64LittleEndian(payload[(16 + 8 * i)..], frames[i]);
        PerfInfo(time, processor, EtlKernelGroups.StackWalk, Etw.KernelPayload.Stack, payload);
    }

    /// <summary>A command line, cut so that the record fits.</summary>
    private static string Shortened(string text) => text.Length <= 16_000 ? text : text[..16_000];

    private void System(
        long time,
        int processor,
        byte group,
        byte type,
        byte version,
        int process,
        int thread,
        ReadOnlySpan<byte> payload
    ) =>
        writer.Write(
            new EtlEventFields
            {
                HeaderType = EtlHeaderType.System64,
                Timestamp = time,
                Processor = processor,
                ProcessId = process,
                ThreadId = thread,
                Group = group,
                Opcode = type,
                Version = version,
            },
            payload
        );

    private void PerfInfo(long time, int processor, byte group, byte type, ReadOnlySpan<byte> payload) =>
        writer.Write(
            new EtlEventFields
            {
                HeaderType = EtlHeaderType.PerfInfo64,
                Timestamp = time,
                Processor = processor,
                Group = group,
                Opcode = type,
                Version = 2,
            },
            payload
        );

    private static void Int32(byte[] bytes, int at, int value) => BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(at), value);

    private static void Int64(byte[] bytes, int at, long value) => BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(at), value);
}
