namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Formats that recordings are exported to, in the order of the help.</summary>
internal enum ExportFormat
{
    /// <summary>speedscope's JSON.</summary>
    Speedscope = 0,

    /// <summary>Processed profile of the Firefox profiler.</summary>
    Firefox = 1,

    /// <summary>Trace events of chrome://tracing.</summary>
    Chromium = 2,

    /// <summary>Protocol buffers of pprof.</summary>
    PProf = 3,

    /// <summary>One line per stack.</summary>
    Collapsed = 4,

    /// <summary>One row per method and cause; for a store, its tables.</summary>
    Csv = 5,

    /// <summary>The same rows as JSON.</summary>
    Json = 6,

    /// <summary>For a store: one JSON object per line.</summary>
    Jsonl = 7,

    /// <summary>Event trace log of Windows.</summary>
    Etl = 8,

    /// <summary>NetTrace 6, as record-trace writes it.</summary>
    NetTrace = 9,
}
