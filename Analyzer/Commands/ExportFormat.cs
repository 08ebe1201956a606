namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Formats that recordings are exported to.</summary>
internal enum ExportFormat
{
    /// <summary>Event trace log of Windows.</summary>
    Etl = 0,

    /// <summary>speedscope's JSON.</summary>
    Speedscope = 1,

    /// <summary>Processed profile of the Firefox profiler.</summary>
    Firefox = 2,

    /// <summary>Trace events of chrome://tracing.</summary>
    Chromium = 3,

    /// <summary>Protocol buffers of pprof.</summary>
    PProf = 4,

    /// <summary>One line per stack.</summary>
    Collapsed = 5,

    /// <summary>One row per method and cause; for a store, its tables.</summary>
    Csv = 6,

    /// <summary>The same rows as JSON.</summary>
    Json = 7,

    /// <summary>For a store: one JSON object per line.</summary>
    Jsonl = 8,

    /// <summary>NetTrace 6, as record-trace writes it.</summary>
    NetTrace = 9,
}
