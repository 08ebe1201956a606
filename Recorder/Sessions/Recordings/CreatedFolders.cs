namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>A folder and those above it that had to be made for a recording.</summary>
internal sealed class CreatedFolders
{
    private readonly List<string> _innermostFirst = [];

    private CreatedFolders()
    {
    }

    /// <summary>Makes a folder.</summary>
    /// <param name="path">Absolute path.</param>
    /// <exception cref="IOException">It cannot be made.</exception>
    public static CreatedFolders Create(string path)
    {
        var created = new CreatedFolders();
        for (var folder = path; folder is not null && !Directory.Exists(folder); folder = Path.GetDirectoryName(folder))
            created._innermostFirst.Add(folder);
        Directory.CreateDirectory(path);
        return created;
    }

    /// <summary>Removes what was made, up to the first folder that holds something: another recorder may use it by now.</summary>
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
                // The user removed it.
            }
            catch (IOException)
            {
                return; // it holds something
            }
        }
    }
}
