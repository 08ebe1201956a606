namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>
/// The files of a trace that was recorded by several sessions and not merged. TraceEvent and PerfView write the user session's events into
/// <c>X.etl</c>, the kernel's into <c>X.kernel.etl</c>, and rundowns into <c>X.clrRundown.etl</c> and <c>X.userRundown.etl</c>.
/// </summary>
public static class UnmergedTrace
{
    private const string Extension = ".etl";

    /// <summary>Prefixes of the names between <c>X.</c> and <c>.etl</c>.</summary>
    private static readonly string[] s_parts = ["kernel", "clr", "user"];

    /// <summary>The paths, each .etl file followed by the other parts of its trace in the same folder.</summary>
    public static IReadOnlyList<string> WithParts(IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        return [.. paths.SelectMany(path => PartsOf(path).Prepend(path)).DistinctBy(Path.GetFullPath)];
    }

    /// <summary>The main .etl file of a part, in the same folder; null for a complete trace.</summary>
    public static string? OwnerOf(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        var stem = Path.GetFileNameWithoutExtension(path);
        var dot = stem.LastIndexOf('.');
        if (
            dot <= 0
            || !HasExtension(path)
            || !Array.Exists(s_parts, part => stem.AsSpan(dot + 1).StartsWith(part, StringComparison.OrdinalIgnoreCase))
        )
            return null;
        var owner = Path.Combine(Path.GetDirectoryName(path) ?? "", stem[..dot] + Extension);
        return File.Exists(owner) ? owner : null;
    }

    private static IEnumerable<string> PartsOf(string path)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(path));
        if (folder is null || !HasExtension(path) || !File.Exists(path))
            return [];
        var stem = Path.GetFileNameWithoutExtension(path);
        return Directory
            .EnumerateFiles(folder, "*" + Extension)
            .Where(file =>
                Path.GetFileName(file).StartsWith(stem + ".", StringComparison.Ordinal)
                && OwnerOf(file) is { } owner
                && Path.GetFileName(owner) == Path.GetFileName(path)
            )
            .Order(StringComparer.Ordinal)
            .Select(file => Path.Combine(Path.GetDirectoryName(path) ?? "", Path.GetFileName(file)));
    }

    private static bool HasExtension(string path) => path.EndsWith(Extension, StringComparison.OrdinalIgnoreCase);
}
