using System.Text;

namespace EtwSerializerProfiler.Sessions.Etw.Profiles;

/// <summary>Writes the profiles and their description; the folder Profiles/ has this output.</summary>
public static class WprpFiles
{
    private const string Origin = "Written by 'esp-record profiles'. Change the plans in the sources, not this file. Untested on Windows.";

    /// <summary>Writes all files.</summary>
    /// <param name="folder">Target folder; created if missing.</param>
    /// <returns>Their paths.</returns>
    /// <exception cref="IOException">They cannot be written.</exception>
    public static IReadOnlyList<string> Write(string folder)
    {
        Directory.CreateDirectory(folder);
        var written = new List<string>();
        foreach (var profile in WprpProfiles.All)
        {
            var path = Path.Combine(folder, profile.FileName);
            using var writer = new StreamWriter(path, append: false, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false))
            {
                NewLine = "\n",
            };
            WprpFile.Write(profile, writer, Origin);
            written.Add(path);
        }

        var readme = Path.Combine(folder, ProfilesReadme.FileName);
        File.WriteAllText(readme, ProfilesReadme.Text().ReplaceLineEndings("\n"));
        written.Add(readme);
        return written;
    }
}
