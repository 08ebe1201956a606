namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>What a trace to be extracted is.</summary>
public enum TraceFormat
{
    /// <summary>A folder written by esp-record, or one with an index of several.</summary>
    Recording = 0,

    /// <summary>A Windows trace, or an archive of one.</summary>
    Etl = 1,

    /// <summary>A file of EventPipe.</summary>
    NetTrace = 2,

    /// <summary>A perf.data file.</summary>
    Perf = 3,
}
