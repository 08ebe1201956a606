namespace EtwSerializerProfiler.Traces.PerfData.Writing;

/// <summary>Receives a perf session's records: a file, or memory with the newest ones. Not thread-safe.</summary>
public interface IPerfRecordSink : IDisposable
{
    /// <summary>Time of the first record in ns.</summary>
    long FirstTime { get; set; }

    /// <summary>Time of the last record in ns.</summary>
    long LastTime { get; set; }

    /// <summary>Bytes of received records. Readable from any thread.</summary>
    long DataBytes { get; }

    /// <summary>Received records that were dropped by design. Readable from any thread.</summary>
    PerfDroppedRecords Dropped => default;

    /// <summary>Build ids of the files mapped so far, for the header.</summary>
    BuildIdSection BuildIds { get; }

    /// <summary>Whether records are waiting for a flush.</summary>
    bool IsDirty { get; }

    /// <summary>Returns a span for records; <see cref="Advance"/> receives the used part.</summary>
    /// <exception cref="IOException">The disk is full.</exception>
    Span<byte> GetBuffer(int bytes);

    /// <summary>Adds complete records written to the last span.</summary>
    void Advance(int bytes);

    /// <summary>Adds a record.</summary>
    /// <exception cref="IOException">The disk is full.</exception>
    void Write(ReadOnlySpan<byte> record);

    /// <summary>Writes the mark that all rings were read once (PERF_RECORD_FINISHED_ROUND).</summary>
    /// <exception cref="IOException">The disk is full.</exception>
    void WriteFinishedRound();

    /// <summary>Flushes records to storage that survives the recorder.</summary>
    /// <exception cref="IOException">The disk is full.</exception>
    void Flush();
}
