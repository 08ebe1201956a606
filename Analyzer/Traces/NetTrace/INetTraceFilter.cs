namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Says which events of a .nettrace file need not be given out: most events of a recording name code, and only one pass over it asks for names.</summary>
internal interface INetTraceFilter
{
    /// <summary>Whether events of a kind are given out. Asked wherever another kind follows, not for each event.</summary>
    bool Wants(NetTraceEventType type);

    /// <summary>An event was left out; in the order of the file, not of time.</summary>
    /// <param name="type">Its kind.</param>
    /// <param name="time">When it happened, in ticks of the file's clock.</param>
    /// <param name="processId">Its process, as <see cref="NetTraceEvent.ProcessId"/>.</param>
    void OnLeftOut(NetTraceEventType type, long time, int processId);
}
