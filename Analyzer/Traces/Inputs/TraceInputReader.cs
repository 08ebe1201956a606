using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>Opens the user's input: folders of recordings or indexes, trace files, run CSVs, or several of them.</summary>
public static class TraceInputReader
{
    private static readonly string[] s_etwExtensions = [".etl", ".zip", ".diagsession"];

    /// <summary>
    /// Opens paths; one may name a part of a trace and run delimiters (<see cref="TracePart"/>). An unreadable file is a problem of the
    /// input as long as another one is readable.
    /// </summary>
    /// <exception cref="TraceFormatException">Nothing is readable; the error is that of the first unreadable file.</exception>
    /// <exception cref="Contents.NoEventMatchesException">The trace lacks the events that should delimit its runs.</exception>
    public static TraceInput Open(IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var named = paths;
        (paths, var part) = TracePart.Of(named);
        var parts = new InputParts();
        var recorded = new RecordedInputs(parts);
        recorded.Add([.. paths.Where(RecordingFolders.IsNamedBy)]);
        var bare = new BareInputs(parts);
        foreach (var path in paths.Where(path => !RecordingFolders.IsNamedBy(path)))
            parts.Try(path, () => bare.Add(path));
        bare.AddProcesses(recorded.Native);
        if (parts.Processes.TrueForAll(process => process.Sources.Count == 0 && process.CsvRows.Count == 0))
            throw parts.FirstFailure
                ?? new TraceFormatException(
                    paths.Count > 0 ? paths[0] : "",
                    null,
                    "a recording or a trace file",
                    "no trace was found",
                    "name the folder of a recording, or a .nettrace, perf.data or .etl file"
                );
        IReadOnlyList<TracedProcess> processes = part.Range is not { } range
            ? parts.Processes
            : [.. parts.Processes.Select(process => process with { Range = range, CsvRows = [] })];
        if (part.Events is { } events)
            processes = EventRunReader.Read(processes, events);
        return new TraceInput(named, processes, parts.Recordings, parts.HasRunCsv, parts.Problems, parts.Files)
        {
            LeftOut = bare.LeftOut,
            MyCode = part.MyCode,
        };
    }

    /// <summary>Whether a path names a Windows trace, by its extension.</summary>
    public static bool IsWindowsTrace(string path) => s_etwExtensions.Contains(Path.GetExtension(path).ToLowerInvariant());
}
