namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>Turns names of benchmarks into names of folders.</summary>
internal static class FolderNames
{
    /// <summary>Keeps paths below Windows' old limit of 260 characters; other names come before and after this one.</summary>
    private const int MaxLength = 60;

    /// <summary>Replaces everything but letters, digits, dots and dashes, so that every file system and shell accepts the name.</summary>
    public static string Of(string text)
    {
        var safe = string.Concat(
                text.Select(character => char.IsAsciiLetterOrDigit(character) || character is '.' or '-' ? character : '_')
            )
            .Trim('.', '_');
        return safe.Length == 0 ? "benchmark"
            : safe.Length > MaxLength ? safe[..MaxLength]
            : safe;
    }

    /// <summary>Returns the path of a folder that does not exist yet.</summary>
    public static string Unused(string parent, string name)
    {
        var path = Path.Combine(parent, name);
        for (var number = 2; Directory.Exists(path); number++)
            path = Path.Combine(parent, FormattableString.Invariant($"{name}-{number}"));
        return path;
    }
}
