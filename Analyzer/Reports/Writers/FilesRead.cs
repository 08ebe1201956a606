using System.Globalization;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>The files that a report rests on, for people: all of them, but of a folder with many the first ones and how many there are.</summary>
internal static class FilesRead
{
    /// <summary>So many files of one folder are named one by one.</summary>
    private const int MostNamed = 8;

    /// <summary>So many of a folder with more.</summary>
    private const int Named = 4;

    /// <summary>The files, or folders with how many of their files were read.</summary>
    public static IEnumerable<string> Of(IReadOnlyList<string> files) =>
        files.GroupBy(file => Path.GetDirectoryName(file) ?? "").SelectMany(folder => OfFolder(folder.Key.Length > 0 ? folder.Key : ".", [.. folder]));

    private static IReadOnlyList<string> OfFolder(string folder, IReadOnlyList<string> files) => files.Count <= MostNamed
        ? files
        : [.. files.Take(Named), string.Create(CultureInfo.InvariantCulture, $"{files.Count - Named} more files in {folder}")];
}
