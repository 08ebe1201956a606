using System.Globalization;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Dumps.Files;

/// <summary>Finds the dump that a path names.</summary>
public static class DumpFiles
{
    /// <summary>Folder of a recording in which its dumps lie.</summary>
    public const string FolderName = "dumps";

    /// <summary>The dump of a path: the file itself, or one of a recording's.</summary>
    /// <param name="path">A dump, or the folder of a recording.</param>
    /// <param name="number">Which one of several, from 1; null when there has to be one.</param>
    /// <returns>Its path, and what the recording says of it.</returns>
    /// <exception cref="TraceFormatException">There is none, or there are several and none was chosen.</exception>
    public static (string Path, string Origin) Find(string path, int? number)
    {
        if (!Directory.Exists(path))
            return (path, "");
        var folder = System.IO.Path.Combine(path, FolderName);
        string[] files = [.. (Directory.Exists(folder) ? Directory.GetFiles(folder) : Directory.GetFiles(path, "*.dmp")).Where(file => !file.EndsWith(".json", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];
        if (files.Length == 0)
            throw DumpErrors.Of(path, "there is no dump in it", 0, $"files in its folder {FolderName}", "there are none", "record with --dump-on, or name a dump");
        if (number is null && files.Length > 1)
            throw DumpErrors.Of(path, Text($"it has {files.Length} dumps"), 0, Text($"--dump 1 to --dump {files.Length}"), string.Join(", ", files.Select((file, index) => Text($"{index + 1}: {System.IO.Path.GetFileName(file)}"))), "choose one with --dump N");
        return number is > 0 and var chosen && chosen > files.Length || number < 1
            ? throw DumpErrors.Of(path, Text($"it has no dump {number}"), 0, Text($"1 to {files.Length}"), Text($"--dump {number}"), "choose another")
            : (files[(number ?? 1) - 1], "");
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
