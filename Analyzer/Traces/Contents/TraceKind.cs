using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>File formats other than .etl.</summary>
internal enum TraceKind
{
    /// <summary>A .nettrace file.</summary>
    NetTrace,

    /// <summary>A perf.data file.</summary>
    PerfData,
}

/// <summary>Recognizes formats by a file's first bytes.</summary>
internal static class TraceKinds
{
    /// <summary>Format of the named file; null when it may be an .etl file.</summary>
    /// <exception cref="TraceFormatException">The path is a folder, or one of several files that are not all .etl files.</exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static TraceKind? Of(IReadOnlyList<string> paths)
    {
        TraceKind? kind = null;
        foreach (var path in paths)
        {
            if (Directory.Exists(path))
                throw new TraceFormatException(
                    path,
                    null,
                    "a trace file",
                    "it is a folder",
                    "name one of the files in it: clr.nettrace, code.nettrace.zst, perf.data"
                );
            if (File.Exists(path))
                kind =
                    NetTraceSource.IsNetTrace(path) ? TraceKind.NetTrace
                    : PerfDataReader.IsPerfData(path) ? TraceKind.PerfData
                    : kind;
        }

        return kind is null || paths.Count == 1
            ? kind
            : throw new TraceFormatException(
                paths[0],
                null,
                "one file, or several .etl files of one trace",
                $"{paths.Count} files were named, not all of them .etl",
                "name one of them"
            );
    }
}
