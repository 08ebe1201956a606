namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>Formats of other tools that CPU samples are exported to.</summary>
public enum ProfileFormat
{
    /// <summary>JSON of speedscope (www.speedscope.app): a profile for each serializer and operation.</summary>
    Speedscope = 0,

    /// <summary>Processed profile of the Firefox profiler (profiler.firefox.com): threads, markers, categories.</summary>
    Firefox = 1,

    /// <summary>Trace events of chrome://tracing and Perfetto: runs, GCs, compilations, samples.</summary>
    Chromium = 2,

    /// <summary>Protocol buffers of pprof (google/pprof), gzipped.</summary>
    PProf = 3,

    /// <summary>One line per stack, as flamegraph.pl and other tools read them.</summary>
    Collapsed = 4,

    /// <summary>One row per method and cause.</summary>
    Csv = 5,

    /// <summary>The same rows, with facts about the recording.</summary>
    Json = 6,
}

/// <summary>What a format is to an export.</summary>
/// <param name="Extension">Ending of the file's name where none is given.</param>
/// <param name="Write">Writes it, not compressed.</param>
/// <param name="OpenedBy">What opens it, for people.</param>
internal sealed record ProfileFormatFacts(string Extension, Action<ProfileDocument, Stream> Write, string OpenedBy)
{
    private const string OpenedByPrograms = "a program of your own: docs/exports.md has the columns";

    /// <summary>Whether it has a time line, for which samples are kept in order of time.</summary>
    public bool HasTimeLine { get; private init; }

    /// <summary>Whether it is compressed whatever the file's name.</summary>
    public bool IsGzip { get; private init; }

    /// <summary>The facts of a format.</summary>
    public static ProfileFormatFacts Of(ProfileFormat format) =>
        format switch
        {
            ProfileFormat.Speedscope => new(
                ".speedscope.json",
                SpeedscopeWriter.Write,
                "https://www.speedscope.app (the file stays in the browser) or: npx speedscope FILE"
            ),
            ProfileFormat.Firefox => new(
                ".firefox.json.gz",
                FirefoxWriter.Write,
                "https://profiler.firefox.com (Load a profile from file; it stays in the browser)"
            )
            {
                HasTimeLine = true,
            },
            ProfileFormat.Chromium => new(
                ".trace.json",
                ChromiumWriter.Write,
                "chrome://tracing (events and samples) or https://ui.perfetto.dev (only the events)"
            )
            {
                HasTimeLine = true,
            },
            ProfileFormat.PProf => new(
                ".pb.gz",
                PProfWriter.Write,
                "go tool pprof -http=: FILE (-tagfocus serializer=NAME, -tagroot serializer,cause)"
            )
            {
                IsGzip = true,
            },
            ProfileFormat.Collapsed => new(
                ".collapsed.txt",
                CollapsedWriter.Write,
                "flamegraph.pl FILE > flames.svg, inferno-flamegraph, or speedscope"
            ),
            ProfileFormat.Csv => new(".samples.csv", RowsWriter.WriteCsv, OpenedByPrograms),
            _ => new(".samples.json", RowsWriter.WriteJson, OpenedByPrograms),
        };
}
