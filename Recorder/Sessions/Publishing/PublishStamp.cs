using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>
/// Detects whether a published build is up to date: a hash of the command, and of the name, size and time of every file that it depends on.
/// </summary>
internal static class PublishStamp
{
    private const string FileName = "publish.stamp";

    /// <summary>The stamp of a build from the current sources.</summary>
    public static string Of(IReadOnlyList<string> command, WorkloadProject project)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var argument in command)
            Append(hash, argument);
        foreach (
            var file in project.SourceFiles().Select(path => new FileInfo(path)).OrderBy(file => file.FullName, StringComparer.Ordinal)
        )
            Append(hash, string.Create(CultureInfo.InvariantCulture, $"{file.FullName}|{file.Length}|{file.LastWriteTimeUtc.Ticks}"));
        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }

    /// <summary>Whether the build in a folder has the stamp.</summary>
    public static bool Matches(string buildFolder, string stamp)
    {
        try
        {
            return File.ReadAllText(Path.Combine(buildFolder, FileName)) == stamp;
        }
        catch (IOException)
        {
            return false; // not built yet
        }
    }

    /// <summary>Removes the stamp before a build changes the folder.</summary>
    public static void Clear(string buildFolder) => File.Delete(Path.Combine(buildFolder, FileName));

    /// <summary>Writes the stamp of a completed build.</summary>
    public static void Write(string buildFolder, string stamp) => File.WriteAllText(Path.Combine(buildFolder, FileName), stamp);

    private static void Append(IncrementalHash hash, string text) => hash.AppendData(Encoding.UTF8.GetBytes(text + "\n"));
}
