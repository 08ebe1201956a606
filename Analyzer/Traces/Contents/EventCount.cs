namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>Count of events of one kind: provider, event and version, optionally by process.</summary>
public sealed class EventCount
{
    internal EventCount(in EventCountKey key, long time)
    {
        Key = key;
        FirstTime = time;
    }

    /// <summary>Provider; for classic events, their class.</summary>
    public Guid Provider => Key.Provider;

    /// <summary>Name of the provider; its GUID when unknown.</summary>
    public string ProviderName { get; internal set; } = "";

    /// <summary>Name of the event; its number when unknown.</summary>
    public string EventName { get; internal set; } = "";

    /// <summary>Whether an opcode identifies the event (kernel and other MOF events) instead of an id.</summary>
    public bool IsClassic => Key.IsClassic;

    /// <summary>Id; null for classic events, 0 for self-describing events (TraceLogging).</summary>
    public int? Id => IsClassic ? null : Key.Number;

    /// <summary>Opcode of a classic event; null for others.</summary>
    public int? Opcode => IsClassic ? Key.Number : null;

    /// <summary>Version of the layout.</summary>
    public int Version => Key.Version;

    /// <summary>Process; null when not counted by process, -1 when the event lacks it.</summary>
    public int? ProcessId => Key.ProcessId == EventCountKey.AnyProcess ? null : Key.ProcessId;

    /// <summary>Name of the process; empty when unknown.</summary>
    public string ProcessName { get; internal set; } = "";

    /// <summary>Number of events.</summary>
    public long Count { get; internal set; }

    /// <summary>Bytes of their payloads, without headers and extended items.</summary>
    public long PayloadBytes { get; internal set; }

    /// <summary>Bytes of the records: headers, extended items (stacks) and payloads, decompressed.</summary>
    public long RecordBytes { get; internal set; }

    /// <summary>Time of the first event, in ticks of the trace's clock.</summary>
    public long FirstTime { get; internal set; }

    /// <summary>Time of the last event, in ticks of the trace's clock.</summary>
    public long LastTime { get; internal set; }

    internal EventCountKey Key { get; }
}

/// <summary>Key of events that are counted together.</summary>
/// <param name="Provider">Provider; for classic events, their class.</param>
/// <param name="IsClassic">Whether <paramref name="Number"/> is an opcode.</param>
/// <param name="Number">Id; for classic events, the opcode.</param>
/// <param name="Version">Version of the layout.</param>
/// <param name="Schema">Number of the description for self-describing events, else 0.</param>
/// <param name="ProcessId">Process when counted by process, else <see cref="AnyProcess"/>.</param>
internal readonly record struct EventCountKey(Guid Provider, bool IsClassic, ushort Number, byte Version, ushort Schema, int ProcessId)
{
    /// <summary>Represents all processes.</summary>
    public const int AnyProcess = int.MinValue;
}
