using System.Buffers.Binary;
using System.Diagnostics.Tracing;
using System.Text;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>
/// Writes an .etl with the events of ETW's kernel session, the runtime and the suite's marks. Times are in µs since the start; the clock
/// ticks in 100 ns.
/// </summary>
public sealed partial class SyntheticEtl : IDisposable
{
    /// <summary>Ticks of the clock at the start.</summary>
    public const long StartTicks = 5_000_000;

    private static readonly Guid s_clr = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
    private static readonly Guid s_private = new("763fd754-7086-4dfe-95eb-c01a46faf4ca");
    private static readonly Guid s_rundown = new("a669021c-c450-4609-a035-5af59af4df18");
    private static readonly Guid s_runs = EventSource.GetGuid(typeof(RunEventSource));

    private readonly EtlWriter _writer;

    /// <summary>Processor of the next events of the kernel without a thread in their header.</summary>
    public int Processor { get; set; }

    /// <summary>Begins a file.</summary>
    public SyntheticEtl(string path, EtlWriteOptions? options = null) =>
        _writer = new EtlWriter(
            path,
            (options ?? new EtlWriteOptions()) with
            {
                Processors = Math.Max(4, options?.Processors ?? 0),
                StartTicks = StartTicks,
                StartTimeUtc = new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc),
                SessionName = "Synthetic",
                CpuMegahertz = 3000,
                OSVersion = new Version(10, 0, 19045),
            }
        );

    /// <summary>A process running at the start of the session.</summary>
    public void Process(int process, string image)
    {
        // Key, ids, page table and flags; TOKEN_USER (two pointers) and a SID with one authority; name, command line, package, application.
        const int tokenAt = 36;
        const int nameAt = tokenAt + 16 + 12;
        var payload = new byte[nameAt + image.Length + 1 + 6];
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(8), process);
        payload[tokenAt] = payload[tokenAt + 16] = payload[tokenAt + 17] = 1;
        Encoding.ASCII.GetBytes(image, payload.AsSpan(nameAt));
        Kernel(0, EtlKernelGroups.Process, 3, 4, payload, process, -1);
    }

    /// <summary>A thread running at the start of the session.</summary>
    public void Thread(int thread, int process)
    {
        var payload = new byte[72];
        BinaryPrimitives.WriteInt32LittleEndian(payload, process);
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(4), thread);
        Kernel(0, EtlKernelGroups.Thread, 3, 3, payload, process, thread);
    }

    /// <summary>The sampling interval.</summary>
    public void SampleInterval(double milliseconds)
    {
        var payload = new byte[12];
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(4), (int)(milliseconds * 10_000));
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(8), 10_000);
        Kernel(0, EtlKernelGroups.PerfInfo, 73, 2, payload, -1, -1);
    }

    /// <summary>A CPU sample and, 1 µs later, its stack.</summary>
    public void Sample(long at, int process, int thread, params ulong[] stack)
    {
        BareSample(at, thread, stack[0]);
        Stack(at + 1, at, process, thread, stack);
    }

    /// <summary>A context switch; <paramref name="waits"/>: the old thread waits, else it was preempted.</summary>
    public void Switch(long at, int from, int to, bool waits)
    {
        Span<byte> payload = stackalloc byte[24];
        payload.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(payload, to);
        BinaryPrimitives.WriteInt32LittleEndian(payload[4..], from);
        payload[14] = (byte)(waits ? 5 : 1);
        PerfInfo(at, EtlKernelGroups.Thread, 36, payload);
    }

    /// <summary>A thread is readied.</summary>
    public void Ready(long at, int thread)
    {
        Span<byte> payload = stackalloc byte[8];
        payload.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(payload, thread);
        PerfInfo(at, EtlKernelGroups.Thread, 50, payload);
    }

    /// <summary>An event of the .NET runtime with its stack, unless empty.</summary>
    public void Clr(long at, int process, int thread, int id, byte version, ReadOnlySpan<byte> payload, params ulong[] stack)
    {
        Span<byte> items = stackalloc byte[1024];
        var extended = new EtlExtendedItemWriter(items);
        if (stack.Length > 0)
            extended.Add(EtlExtendedType.StackTrace64, [.. new byte[8], .. stack.SelectMany(BitConverter.GetBytes)]);
        _writer.Write(
            new EtlEventFields
            {
                HeaderType = EtlHeaderType.Event64,
                Timestamp = Ticks(at),
                ProcessId = process,
                ThreadId = thread,
                ProviderId = s_clr,
                Id = (ushort)id,
                Version = version,
                Level = 4,
            },
            payload,
            extended.Written
        );
    }

    /// <summary>An event of the .NET runtime's private provider.</summary>
    public void Private(long at, int process, int thread, int id, ReadOnlySpan<byte> payload) =>
        Event(at, process, thread, s_private, id, 0, payload);

    /// <summary>An event of the .NET runtime's rundown provider.</summary>
    public void Rundown(long at, int process, int thread, int id, ReadOnlySpan<byte> payload) =>
        Event(at, process, thread, s_rundown, id, 1, payload);

    /// <summary>A GC with its pause.</summary>
    public void Gc(long at, int process, int thread, int number, int generation, int microseconds)
    {
        var start = new byte[18];
        BinaryPrimitives.WriteInt32LittleEndian(start, number);
        BinaryPrimitives.WriteInt32LittleEndian(start.AsSpan(4), generation);
        Clr(at, process, thread, 9, 1, new byte[10] { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 });
        Clr(at + 1, process, thread, 1, 1, start);
        Clr(at + microseconds, process, thread, 3, 1, new byte[2]);
    }

    /// <summary>A marked run with one GC: the marker waits from <paramref name="start"/> to <paramref name="stop"/>.</summary>
    public void Run(int process, int mainThread, int markerThread, int number, string serializer, long start, long stop, int generation)
    {
        BeginRun(process, mainThread, markerThread, number, serializer, start);
        EndRun(process, mainThread, markerThread, number, serializer, start, stop, generation);
    }

    /// <summary>The start of a marked run: the marker is switched out.</summary>
    public void BeginRun(int process, int mainThread, int markerThread, int number, string serializer, long start)
    {
        Event(start - 20, process, markerThread, s_runs, RunEventSource.MarkerWaitingId, 0, BitConverter.GetBytes(number));
        Switch(start, markerThread, 0, waits: true);
        Event(start + 5, process, mainThread, s_runs, RunEventSource.RunStartId, 0, Identity(number, serializer));
    }

    /// <summary>The end of a marked run: the marker becomes ready, and RunStop has the self-measurement.</summary>
    public void EndRun(int process, int mainThread, int markerThread, int number, string serializer, long start, long stop, int generation)
    {
        Ready(stop, markerThread);
        Event(stop + 5, process, mainThread, s_runs, RunEventSource.RunClockStoppedId, 0, BitConverter.GetBytes(number));
        Switch(stop + 40, 0, markerThread, waits: true);
        var identity = Identity(number, serializer);
        var stopped = new byte[identity.Length + 62];
        identity.CopyTo(stopped, 0);
        var measurement = stopped.AsSpan(identity.Length);
        BinaryPrimitives.WriteInt64LittleEndian(measurement, Ticks(start + 10));
        BinaryPrimitives.WriteInt64LittleEndian(measurement[8..], Ticks(stop - 5));
        BinaryPrimitives.WriteInt64LittleEndian(measurement[16..], 10_000_000);
        BinaryPrimitives.WriteInt64LittleEndian(measurement[24..], (stop - start) * 1000);
        BinaryPrimitives.WriteInt64LittleEndian(measurement[32..], 1_000_000);
        BinaryPrimitives.WriteInt32LittleEndian(measurement[(40 + (4 * generation))..], 1);
        BinaryPrimitives.WriteInt64LittleEndian(measurement[52..], 500);
        Event(stop + 100, process, mainThread, s_runs, RunEventSource.RunStopId, 0, stopped);
    }

    /// <summary>A self-describing event with one 32-bit field.</summary>
    public void TraceLogging(long at, int process, int thread, Guid provider, string providerName, string name, string field, int value)
    {
        var schema = new List<byte> { 0, 0, 0 };
        schema.AddRange(Encoding.UTF8.GetBytes(name + "\0" + field + "\0"));
        schema.Add(7);
        BinaryPrimitives.WriteUInt16LittleEndian(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(schema), (ushort)schema.Count);
        var traits = new List<byte> { 0, 0 };
        traits.AddRange(Encoding.UTF8.GetBytes(providerName + "\0"));
        BinaryPrimitives.WriteUInt16LittleEndian(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(traits), (ushort)traits.Count);
        Span<byte> items = stackalloc byte[512];
        var extended = new EtlExtendedItemWriter(items);
        extended.Add(EtlExtendedType.EventSchemaTraceLogging, schema.ToArray());
        extended.Add(EtlExtendedType.ProviderTraits, traits.ToArray());
        _writer.Write(
            new EtlEventFields
            {
                HeaderType = EtlHeaderType.Event64,
                Timestamp = Ticks(at),
                ProcessId = process,
                ThreadId = thread,
                ProviderId = provider,
                Channel = 11,
                Level = 5,
            },
            BitConverter.GetBytes(value),
            extended.Written
        );
    }

    /// <inheritdoc />
    public void Dispose() => _writer.Dispose();

    private static long Ticks(long microseconds) => StartTicks + (10 * microseconds);

    private byte[] Identity(int number, string serializer)
    {
        var bytes = new List<byte>(BitConverter.GetBytes(number));
        foreach (var text in (string[])[serializer, serializer + ".Library", "1.0", RunOperation.Serialize])
            bytes.AddRange(Encoding.Unicode.GetBytes(text + "\0"));
        foreach (var value in (int[])[(int)RunKind, 100, 0, number, RunThreads])
            bytes.AddRange(BitConverter.GetBytes(value));
        return [.. bytes];
    }

    private void Kernel(long at, byte group, byte type, byte version, byte[] payload, int process, int thread) =>
        _writer.Write(
            new EtlEventFields
            {
                HeaderType = EtlHeaderType.System64,
                Timestamp = Ticks(at),
                Group = group,
                Opcode = type,
                Version = version,
                ProcessId = process,
                ThreadId = thread,
            },
            payload
        );

    private void PerfInfo(long at, byte group, byte type, ReadOnlySpan<byte> payload) =>
        _writer.Write(
            new EtlEventFields
            {
                HeaderType = EtlHeaderType.PerfInfo64,
                Timestamp = Ticks(at),
                Processor = Processor,
                Group = group,
                Opcode = type,
                Version = 2,
            },
            payload
        );

    private void Event(long at, int process, int thread, Guid provider, int id, byte version, ReadOnlySpan<byte> payload) =>
        _writer.Write(
            new EtlEventFields
            {
                HeaderType = EtlHeaderType.Event64,
                Timestamp = Ticks(at),
                ProcessId = process,
                ThreadId = thread,
                ProviderId = provider,
                Id = (ushort)id,
                Version = version,
                Level = 4,
            },
            payload
        );
}
