namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>Formats of other tools that CPU samples are exported to.</summary>
public enum ProfileFormat
{
    /// <summary>JSON of speedscope (www.speedscope.app): a profile for each serializer and operation.</summary>
    Speedscope = 0,

    /// <summary>Processed profile of the Firefox profiler (profiler.firefox.com): threads, markers, categories.</summary>
    Firefox = 1,

    /// <summary>Trace events of chrome://tracing and Perfetto: runs, collections, compilations, samples.</summary>
    Chromium = 2,

    /// <summary>Protocol buffers of pprof (google/pprof), gzipped.</summary>
    PProf = 3,

    /// <summary>A line a stack, as flamegraph.pl and others read them.</summary>
    Collapsed = 4,

    /// <summary>A row a method and cause.</summary>
    Csv = 5,

    /// <summary>The same rows, with what is to be known of the recording.</summary>
    Json = 6,
}
