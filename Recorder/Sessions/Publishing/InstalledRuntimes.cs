namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Parses the output of <c>dotnet --list-runtimes</c>.</summary>
public static class InstalledRuntimes
{
    /// <summary>The framework that the suite needs; others (ASP.NET Core, Windows Desktop) build on it.</summary>
    private const string Framework = "Microsoft.NETCore.App";

    /// <summary>
    /// Versions of the base runtime, in the order of the lines: <c>Microsoft.NETCore.App 8.0.31
    /// [/usr/share/dotnet/shared/Microsoft.NETCore.App]</c>.
    /// </summary>
    /// <param name="output">Standard output of the command.</param>
    /// <returns>Versions as printed, with the suffix of previews after a dash.</returns>
    public static IReadOnlyList<string> Parse(string output)
    {
        ArgumentNullException.ThrowIfNull(output);
        return
        [
            .. output
                .Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
                .Select(line => line.Split(' ', 3))
                .Where(parts => parts.Length == 3 && parts[0] == Framework && char.IsAsciiDigit(parts[1][0]))
                .Select(parts => parts[1]),
        ];
    }

    /// <summary>The newest installed version of a major version; null when there is none.</summary>
    public static string? Newest(IEnumerable<string> versions, int major) =>
        versions
            .Where(version => Numbers(version) is { } numbers && numbers.Major == major)
            .OrderBy(version => Numbers(version))
            .LastOrDefault();

    private static Version? Numbers(string version) => Version.TryParse(version.Split('-')[0], out var numbers) ? numbers : null;
}
