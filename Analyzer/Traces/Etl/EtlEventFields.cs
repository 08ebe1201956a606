namespace EtwSerializerProfiler.Etl;

/// <summary>Header of an event to write. Fields that the kind of header lacks are ignored.</summary>
public readonly record struct EtlEventFields
{
    /// <summary>Kind of the header.</summary>
    public required EtlHeaderType HeaderType { get; init; }

    /// <summary>Time in ticks of the trace's clock.</summary>
    public required long Timestamp { get; init; }

    /// <summary>Processor that logged it, 0 to 2047.</summary>
    public int Processor { get; init; }

    /// <summary>Thread.</summary>
    public int ThreadId { get; init; }

    /// <summary>Process.</summary>
    public int ProcessId { get; init; }

    /// <summary>Provider, class of a classic event, or GUID of a message.</summary>
    public Guid ProviderId { get; init; }

    /// <summary>Group of a kernel event.</summary>
    public byte Group { get; init; }

    /// <summary>Id; number of a message.</summary>
    public ushort Id { get; init; }

    /// <summary>Version.</summary>
    public byte Version { get; init; }

    /// <summary>Channel.</summary>
    public byte Channel { get; init; }

    /// <summary>Level.</summary>
    public byte Level { get; init; }

    /// <summary>Opcode; type of a kernel event.</summary>
    public byte Opcode { get; init; }

    /// <summary>Task.</summary>
    public ushort Task { get; init; }

    /// <summary>Keywords.</summary>
    public ulong Keywords { get; init; }

    /// <summary>Activity.</summary>
    public Guid ActivityId { get; init; }

    /// <summary>EVENT_HEADER_FLAG bits; the writer sets those of extended items and of the pointer size.</summary>
    public ushort Flags { get; init; }

    /// <summary>EVENT_HEADER_PROPERTY bits.</summary>
    public ushort EventProperty { get; init; }

    /// <summary>Thread's time in the kernel.</summary>
    public uint KernelTime { get; init; }

    /// <summary>Thread's time in user mode.</summary>
    public uint UserTime { get; init; }

    /// <summary>Instance, for instance headers.</summary>
    public uint InstanceId { get; init; }

    /// <summary>Parent instance, for instance headers.</summary>
    public uint ParentInstanceId { get; init; }
}
