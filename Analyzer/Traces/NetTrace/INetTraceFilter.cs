namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Excludes events of a .nettrace file: most events of a recording name code, and only one pass over it needs names.</summary>
internal interface INetTraceFilter
{
    /// <summary>Whether to deliver events of a kind. Called when the kind changes, not for each event.</summary>
    bool Wants(NetTraceEventType type);

    /// <summary>An event was excluded; called in file order, not time order.</summary>
    /// <param name="type">Its kind.</param>
    /// <param name="time">Its time in ticks of the file's clock.</param>
    /// <param name="processId">Its process, as <see cref="NetTraceEvent.ProcessId"/>.</param>
    void OnLeftOut(NetTraceEventType type, long time, int processId);
}
