using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Etl;

/// <summary>An event as a view over its bytes in the trace; valid until the next one is read. Fields are decoded on access.</summary>
/// <remarks>What a kind of header does not have reads as -1 for thread and process, else as 0 or empty.</remarks>
public readonly ref struct EtlEvent
{
    /// <summary>The record: header, extended items or counters, payload.</summary>
    private readonly ReadOnlySpan<byte> _record;

    /// <summary>Offset of the payload.</summary>
    private readonly int _payloadAt;

    private readonly EtlHeaderKind _kind;

    internal EtlEvent(ReadOnlySpan<byte> record, int payloadAt, long timestamp, int processor, int file)
    {
        _record = record;
        _payloadAt = payloadAt;
        Timestamp = timestamp;
        Processor = processor;
        File = file;
        HeaderType = (EtlHeaderType)record[2];
        _kind = EtlFormat.KindOf(HeaderType);
    }

    /// <summary>Kind of its header.</summary>
    public EtlHeaderType HeaderType { get; }

    /// <summary>Processor that logged it.</summary>
    public int Processor { get; }

    /// <summary>
    /// Time in ticks of the trace's clock (<see cref="EtlReader.Header"/>); <see cref="EtlReader.ToNanoseconds"/> and
    /// <see cref="EtlReader.ToUtc"/> convert it. A record without a time (some messages) has that of the record before it in its buffer.
    /// </summary>
    public long Timestamp { get; }

    /// <summary>Index of its file in <see cref="EtlReader.Files"/>.</summary>
    public int File { get; }

    /// <summary>Whether it is an event of the kernel's own groups, which <see cref="Group"/> and <see cref="Opcode"/> identify.</summary>
    public bool IsKernel => _kind is EtlHeaderKind.System or EtlHeaderKind.PerfInfo;

    /// <summary>Whether a GUID and an opcode identify it (kernel and other MOF events), instead of provider and id.</summary>
    public bool IsClassic =>
        _kind switch
        {
            EtlHeaderKind.Event => (Flags & 0x100) != 0, // EVENT_HEADER_FLAG_CLASSIC_HEADER
            EtlHeaderKind.Message or EtlHeaderKind.Error => false,
            _ => true,
        };

    /// <summary>Group of a kernel event (<see cref="EtlKernelGroups"/>), else 0.</summary>
    public byte Group => IsKernel ? _record[7] : (byte)0;

    /// <summary>Thread; -1 when the header has none.</summary>
    public int ThreadId =>
        _kind switch
        {
            EtlHeaderKind.System or EtlHeaderKind.Classic or EtlHeaderKind.Event => EtlFormat.Int32(_record, 8),
            EtlHeaderKind.Message => MessageHeader.Read(_record).ThreadId,
            _ => -1,
        };

    /// <summary>Process; -1 when the header has none.</summary>
    public int ProcessId =>
        _kind switch
        {
            EtlHeaderKind.System or EtlHeaderKind.Classic or EtlHeaderKind.Event => EtlFormat.Int32(_record, 12),
            EtlHeaderKind.Message => MessageHeader.Read(_record).ProcessId,
            _ => -1,
        };

    /// <summary>
    /// Provider; for classic events the event's class, for kernel events that of the group (empty when unknown), for messages their GUID.
    /// </summary>
    public Guid ProviderId =>
        _kind switch
        {
            EtlHeaderKind.Event or EtlHeaderKind.Classic => MemoryMarshal.Read<Guid>(_record[24..]),
            EtlHeaderKind.System or EtlHeaderKind.PerfInfo => EtlKernelGroups.GuidOf(_record[7], _record[6]),
            EtlHeaderKind.Message => MessageHeader.Read(_record).Guid,
            _ => Guid.Empty,
        };

    /// <summary>Id of the event; the number of a message; 0 for classic events.</summary>
    public ushort Id =>
        _kind switch
        {
            EtlHeaderKind.Event => EtlFormat.UInt16(_record, 40),
            EtlHeaderKind.Message => EtlFormat.UInt16(_record, 4),
            _ => 0,
        };

    /// <summary>Version of the event's layout.</summary>
    public byte Version =>
        _kind switch
        {
            EtlHeaderKind.Event => _record[42],
            EtlHeaderKind.Classic => _record[6],
            EtlHeaderKind.System or EtlHeaderKind.PerfInfo => _record[0],
            _ => 0,
        };

    /// <summary>Channel.</summary>
    public byte Channel => _kind == EtlHeaderKind.Event ? _record[43] : (byte)0;

    /// <summary>Level.</summary>
    public byte Level =>
        _kind switch
        {
            EtlHeaderKind.Event => _record[44],
            EtlHeaderKind.Classic => _record[5],
            _ => 0,
        };

    /// <summary>Opcode; the type of a kernel event within its group.</summary>
    public byte Opcode =>
        _kind switch
        {
            EtlHeaderKind.Event => _record[45],
            EtlHeaderKind.Classic => _record[4],
            EtlHeaderKind.System or EtlHeaderKind.PerfInfo => _record[6],
            _ => 0,
        };

    /// <summary>Task.</summary>
    public ushort Task => _kind == EtlHeaderKind.Event ? EtlFormat.UInt16(_record, 46) : (ushort)0;

    /// <summary>Keywords.</summary>
    public ulong Keywords => _kind == EtlHeaderKind.Event ? EtlFormat.UInt64(_record, 48) : 0;

    /// <summary>Activity; empty for other than manifest and TraceLogging events.</summary>
    public Guid ActivityId => _kind == EtlHeaderKind.Event ? MemoryMarshal.Read<Guid>(_record[64..]) : Guid.Empty;

    /// <summary>EVENT_HEADER_FLAG bits of a manifest or TraceLogging event, the option flags of a message, else 0.</summary>
    public ushort Flags =>
        _kind switch
        {
            EtlHeaderKind.Event => EtlFormat.UInt16(_record, 4),
            EtlHeaderKind.Message => EtlFormat.UInt16(_record, 6),
            _ => 0,
        };

    /// <summary>EVENT_HEADER_PROPERTY bits of a manifest or TraceLogging event.</summary>
    public ushort EventProperty => _kind == EtlHeaderKind.Event ? EtlFormat.UInt16(_record, 6) : (ushort)0;

    /// <summary>Thread's time in the kernel, in units of the timer's resolution; 0 when not recorded.</summary>
    public uint KernelTime => CpuTimesAt is var at and > 0 ? EtlFormat.UInt32(_record, at) : 0;

    /// <summary>Thread's time in user mode, in units of the timer's resolution; 0 when not recorded.</summary>
    public uint UserTime => CpuTimesAt is var at and > 0 ? EtlFormat.UInt32(_record, at + 4) : 0;

    /// <summary>Both times as one number; for events of private sessions, the CPU's cycles.</summary>
    public ulong ProcessorTime => CpuTimesAt is var at and > 0 ? EtlFormat.UInt64(_record, at) : 0;

    /// <summary>Bytes of a pointer in the payload, 4 or 8.</summary>
    public int PointerSize =>
        HeaderType switch
        {
            EtlHeaderType.System32
            or EtlHeaderType.Compact32
            or EtlHeaderType.PerfInfo32
            or EtlHeaderType.Full32
            or EtlHeaderType.Instance32
            or EtlHeaderType.Event32 => 4,
            EtlHeaderType.Message => (Flags & MessageHeader.Pointer32) != 0 ? 4 : 8,
            _ => 8,
        };

    /// <summary>Instance of a classic event with an instance header, else 0.</summary>
    public uint InstanceId => HasInstance ? EtlFormat.UInt32(_record, 48) : 0;

    /// <summary>Parent instance of a classic event with an instance header, else 0.</summary>
    public uint ParentInstanceId => HasInstance ? EtlFormat.UInt32(_record, 52) : 0;

    /// <summary>The event's data.</summary>
    public ReadOnlySpan<byte> Payload => _record[_payloadAt..];

    /// <summary>All extended items as in the file.</summary>
    public ReadOnlySpan<byte> ExtendedData => _kind == EtlHeaderKind.Event ? _record[80.._payloadAt] : default;

    /// <summary>Extended items one by one.</summary>
    public EtlExtendedItemEnumerator ExtendedItems => new(ExtendedData);

    /// <summary>Values of hardware counters after a kernel event's header, 8 bytes each.</summary>
    public ReadOnlySpan<byte> Counters => IsKernel ? _record[(_payloadAt - CounterBytes).._payloadAt] : default;

    /// <summary>Header as in the file, with everything before the payload.</summary>
    public ReadOnlySpan<byte> RawHeader => _record[.._payloadAt];

    /// <summary>The whole record as in the file.</summary>
    public ReadOnlySpan<byte> RawBytes => _record;

    private bool HasInstance => HeaderType is EtlHeaderType.Instance32 or EtlHeaderType.Instance64;

    private int CounterBytes => Math.Min(8 * ((EtlFormat.UInt16(_record, 0) >> 8) & 7), _payloadAt - EtlFormat.HeaderSizeOf(HeaderType));

    /// <summary>Offset of kernel and user time; 0 when the header has none.</summary>
    private int CpuTimesAt =>
        _kind switch
        {
            EtlHeaderKind.Event => (Flags & 0x10) != 0 ? 0 : 56, // EVENT_HEADER_FLAG_NO_CPUTIME
            EtlHeaderKind.Classic => 40,
            EtlHeaderKind.System when HeaderType is EtlHeaderType.System32 or EtlHeaderType.System64 => 24,
            _ => 0,
        };
}
