using System.Text;
using EtwSerializerProfiler.Analysis.Regions;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>Writes the regions-of-interest files for WPA; the folder wpa-regions/ contains this program's output.</summary>
public static class RegionFiles
{
    /// <summary>Name of the file of runs.</summary>
    public const string Runs = "Runs.xml";

    /// <summary>Name of the file of the regions of GCs.</summary>
    public const string Gcs = "GarbageCollections.xml";

    private const string Origin =
        "Written by 'esp-analyze regions'; docs/windows.md explains how to open it in WPA. Not tested on Windows.";

    /// <summary>Writes both files.</summary>
    /// <param name="folder">The folder; created if missing.</param>
    /// <param name="runs">The regions of runs.</param>
    /// <returns>Paths of the files.</returns>
    /// <exception cref="IOException">The files cannot be written.</exception>
    public static IReadOnlyList<string> Write(string folder, Region runs)
    {
        Directory.CreateDirectory(folder);
        return [WriteFile(Path.Combine(folder, Runs), runs), WriteFile(Path.Combine(folder, Gcs), GcRegions.Root)];
    }

    /// <summary>The regions of a trace's runs: those that the named events delimit, else those of each marked serializer.</summary>
    /// <param name="paths">A recording's folder, or trace files that belong together.</param>
    /// <exception cref="TraceFormatException">
    /// Nothing is readable, or no run is marked; or the path names a part of the trace, or activities.
    /// </exception>
    /// <exception cref="Traces.Contents.NoEventMatchesException">The trace lacks the events that should delimit its runs.</exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    public static Region RunsOf(IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var (_, part) = TracePart.Of(paths);
        if (part.Range is not null)
            throw new TraceFormatException(
                paths[0],
                null,
                "a whole trace",
                "a part is named, but regions cover the whole trace",
                "leave out #from and #to"
            );
        if (part.Events is { IsActivity: true })
            throw new TraceFormatException(
                paths[0],
                null,
                "events with distinct ids, by which WPA finds runs",
                "all activities have the same id",
                "name PROVIDER/TASK or PROVIDER/BEGIN,END; 'esp-analyze runs PATH --runs list' shows them"
            );
        var input = TraceInputReader.Open(paths);
        if (part.Events is { } events)
            return RunRegions.Create(events.Text, [.. input.Processes.SelectMany(process => process.EventRuns?.Kinds ?? []).Distinct()]);
        var marks = new MarkedSerializers();
        TraceReading.Read(input.Processes.SelectMany(process => process.Requests(marks)));
        return marks.Names.Count > 0
            ? RunRegions.Create([.. marks.Names.Order(StringComparer.OrdinalIgnoreCase)])
            : throw new TraceFormatException(
                paths[0],
                null,
                "run marks (events RunStart and RunStop of EtwSerializerProfiler-Runs), by which WPA finds runs",
                "the trace has none",
                "name no trace to write the regions of all known serializers"
            );
    }

    private static string WriteFile(string path, Region root)
    {
        using var writer = new StreamWriter(path, append: false, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false))
        {
            NewLine = "\n",
        };
        RegionFile.Write(root, writer, Origin);
        return path;
    }
}
