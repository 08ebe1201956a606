namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Where a perf session's records go: to a file, or to memory that keeps the newest ones. Not for several threads at once.</summary>
public interface IPerfRecordSink : IDisposable
{
    /// <summary>Time of the first record in ns.</summary>
    long FirstTime { get; set; }

    /// <summary>Time of the last record in ns.</summary>
    long LastTime { get; set; }

    /// <summary>Bytes of records taken in. Readable from any thread.</summary>
    long DataBytes { get; }

    /// <summary>Records taken in and dropped again by design. Readable from any thread.</summary>
    PerfDroppedRecords Dropped => default;

    /// <summary>Build ids of the files mapped so far, for the header.</summary>
    BuildIdSection BuildIds { get; }

    /// <summary>Whether records wait to be flushed.</summary>
    bool IsDirty { get; }

    /// <summary>Room for records; <see cref="Advance"/> says how much was used.</summary>
    /// <exception cref="IOException">The disk is full.</exception>
    Span<byte> GetBuffer(int bytes);

    /// <summary>Adds whole records that were put into the room given last.</summary>
    void Advance(int bytes);

    /// <summary>Adds a record.</summary>
    /// <exception cref="IOException">The disk is full.</exception>
    void Write(ReadOnlySpan<byte> record);

    /// <summary>Marks that all rings were read once (PERF_RECORD_FINISHED_ROUND).</summary>
    /// <exception cref="IOException">The disk is full.</exception>
    void WriteFinishedRound();

    /// <summary>Brings what was added to where it survives the recorder.</summary>
    /// <exception cref="IOException">The disk is full.</exception>
    void Flush();
}
