using System.Text;
using EtwSerializerProfiler.Analysis.Regions;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>The regions-of-interest files for WPA; the folder wpa-regions/ holds them as this program writes them.</summary>
public static class RegionFiles
{
    /// <summary>Name of the file of runs.</summary>
    public const string Runs = "Runs.xml";

    /// <summary>Name of the file of garbage collections.</summary>
    public const string Gcs = "GarbageCollections.xml";

    private const string Origin = "Written by 'esp-analyze regions'; docs/windows.md says how to open it in WPA. Untested on Windows.";

    /// <summary>Writes both files.</summary>
    /// <param name="folder">Where to; made when it is not there.</param>
    /// <param name="serializers">Serializers with a group of their own.</param>
    /// <returns>Their paths.</returns>
    /// <exception cref="IOException">They cannot be written.</exception>
    public static IReadOnlyList<string> Write(string folder, IReadOnlyList<string> serializers)
    {
        Directory.CreateDirectory(folder);
        return [Write(Path.Combine(folder, Runs), RunRegions.Create(serializers)), Write(Path.Combine(folder, Gcs), GcRegions.Root)];
    }

    /// <summary>Names of the serializers whose runs are marked in a trace, by name.</summary>
    /// <param name="paths">A recording's folder, or trace files that belong together.</param>
    /// <exception cref="TraceFormatException">Nothing can be read, or no run is marked.</exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    public static IReadOnlyList<string> SerializersOf(IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var marks = new MarkedSerializers();
        TraceReading.Read(TraceInputReader.Open(paths).Processes.SelectMany(process => process.Requests(marks)));
        return marks.Names.Count > 0
            ? [.. marks.Names.Order(StringComparer.OrdinalIgnoreCase)]
            : throw new TraceFormatException(paths[0], null, "run marks (events RunStart and RunStop of EtwSerializerProfiler-Runs), by which WPA finds runs", "there are none", "name no trace: then the regions of all known serializers are written");
    }

    private static string Write(string path, Region root)
    {
        using var writer = new StreamWriter(path, append: false, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { NewLine = "\n" };
        RegionFile.Write(root, writer, Origin);
        return path;
    }
}
