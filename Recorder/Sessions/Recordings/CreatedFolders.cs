namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>A recording's folder and the parent folders that were created for it.</summary>
internal sealed class CreatedFolders
{
    private readonly List<string> _innermostFirst = [];

    private CreatedFolders() { }

    /// <summary>Creates a folder.</summary>
    /// <param name="path">Absolute path.</param>
    /// <exception cref="IOException">The folder cannot be created.</exception>
    public static CreatedFolders Create(string path)
    {
        var created = new CreatedFolders();
        for (var folder = path; folder is not null && !Directory.Exists(folder); folder = Path.GetDirectoryName(folder))
            created._innermostFirst.Add(folder);
        Directory.CreateDirectory(path);
        return created;
    }

    /// <summary>Removes the created folders up to the first one that is not empty: another recorder may use it by now.</summary>
    public void RemoveEmpty()
    {
        foreach (var folder in _innermostFirst)
        {
            try
            {
                Directory.Delete(folder);
            }
            catch (DirectoryNotFoundException)
            {
                // The user has removed it.
            }
            catch (IOException)
            {
                return; // not empty
            }
        }
    }
}
