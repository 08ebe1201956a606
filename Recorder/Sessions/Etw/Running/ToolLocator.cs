namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>Finds xperf, tracelog and wpr on PATH, or else in their installation folders.</summary>
public static class ToolLocator
{
    private const string Kits = @"Windows Kits\10";

    /// <summary>Path of a program; null when it does not exist.</summary>
    /// <param name="program">Its name without an extension.</param>
    public static string? Find(string program)
    {
        var file = OperatingSystem.IsWindows() ? program + ".exe" : program;
        return Folders().Select(folder => Path.Combine(folder, file)).FirstOrDefault(File.Exists);
    }

    private static IEnumerable<string> Folders()
    {
        foreach (
            var folder in (Environment.GetEnvironmentVariable("PATH") ?? "").Split(
                Path.PathSeparator,
                StringSplitOptions.RemoveEmptyEntries
            )
        )
            yield return folder;
        if (!OperatingSystem.IsWindows())
            yield break;
        var kits = Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.ProgramFilesX86), Kits);
        yield return Path.Combine(kits, "Windows Performance Toolkit");
        var bin = Path.Combine(kits, "bin");
        if (!Directory.Exists(bin))
            yield break;
        foreach (var version in Directory.EnumerateDirectories(bin, "10.*").OrderDescending(StringComparer.Ordinal))
            yield return Path.Combine(version, Environment.Is64BitOperatingSystem ? "x64" : "x86");
    }
}
