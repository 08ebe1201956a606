namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>Names of folders made from those of benchmarks.</summary>
internal static class FileNames
{
    /// <summary>Windows' old limit of a path is 260 characters, and a name stands between two others.</summary>
    private const int Longest = 60;

    /// <summary>A name with letters, digits, dots and dashes only, as every file system and shell takes it.</summary>
    public static string Of(string text)
    {
        var safe = string.Concat(text.Select(character => char.IsAsciiLetterOrDigit(character) || character is '.' or '-' ? character : '_')).Trim('.', '_');
        return safe.Length == 0 ? "benchmark" : safe.Length > Longest ? safe[..Longest] : safe;
    }

    /// <summary>Path of a folder that does not exist.</summary>
    public static string Unused(string parent, string name)
    {
        var path = Path.Combine(parent, name);
        for (var number = 2; Directory.Exists(path); number++)
            path = Path.Combine(parent, FormattableString.Invariant($"{name}-{number}"));
        return path;
    }
}
