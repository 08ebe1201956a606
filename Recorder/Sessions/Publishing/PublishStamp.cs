using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Says whether a published build is that of the sources as they are: a hash of the command and of name, size and time of every file it depends on.</summary>
internal static class PublishStamp
{
    private const string FileName = "publish.stamp";

    /// <summary>The stamp that a build made now would have.</summary>
    public static string Of(IReadOnlyList<string> command, WorkloadProject project)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var argument in command)
            Append(hash, argument);
        foreach (var file in project.SourceFiles().Select(path => new FileInfo(path)).OrderBy(file => file.FullName, StringComparer.Ordinal))
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
            return false; // never built
        }
    }

    /// <summary>Takes the stamp off a folder whose build is about to change.</summary>
    public static void Clear(string buildFolder) => File.Delete(Path.Combine(buildFolder, FileName));

    /// <summary>Stamps a build that has been made.</summary>
    public static void Write(string buildFolder, string stamp) => File.WriteAllText(Path.Combine(buildFolder, FileName), stamp);

    private static void Append(IncrementalHash hash, string text) => hash.AppendData(Encoding.UTF8.GetBytes(text + "\n"));
}
