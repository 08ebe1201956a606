using System.Globalization;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>Lists the files of a report in text output: all of them, but only the first ones of folders with many.</summary>
internal static class FilesRead
{
    /// <summary>Maximum number of files of one folder that are listed individually.</summary>
    private const int MaxNamed = 8;

    /// <summary>Number of files listed of a folder with more.</summary>
    private const int Named = 4;

    /// <summary>The files, or folders with the number of files read.</summary>
    public static IEnumerable<string> Of(IReadOnlyList<string> files) =>
        files
            .GroupBy(file => Path.GetDirectoryName(file) ?? "")
            .SelectMany(folder => OfFolder(folder.Key.Length > 0 ? folder.Key : ".", [.. folder]));

    private static IReadOnlyList<string> OfFolder(string folder, IReadOnlyList<string> files) =>
        files.Count <= MaxNamed
            ? files
            : [.. files.Take(Named), string.Create(CultureInfo.InvariantCulture, $"{files.Count - Named} more files in {folder}")];
}
