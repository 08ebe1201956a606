namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Chooses where builds of the suite are kept.</summary>
public static class PublishFolder
{
    /// <summary>The wanted folder if this user may write there, else one of his own.</summary>
    /// <param name="wanted">Folder beside the other build output of the source tree.</param>
    /// <returns>The folder; empty when there is neither. In /tmp its name would be one that anybody can take first, with programs of his own in it.</returns>
    public static string Choose(string wanted) => Choose(wanted, Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData));

    /// <inheritdoc cref="Choose(string)"/>
    /// <param name="wanted">Folder beside the other build output of the source tree.</param>
    /// <param name="own">The user's folder for data of programs, empty for a user without a home folder.</param>
    internal static string Choose(string wanted, string own)
    {
        if (CanWrite(wanted))
            return wanted;
        return own.Length > 0 ? Path.Combine(own, "EtwSerializerProfiler", "runtimes") : "";
    }

    /// <summary>Whether files can be made in the folder, or in the nearest one above that exists. Nothing is left behind.</summary>
    private static bool CanWrite(string folder)
    {
        var existing = folder;
        while (!Directory.Exists(existing) && Path.GetDirectoryName(existing) is { } above)
            existing = above;
        try
        {
            using var _ = new FileStream(Path.Combine(existing, $".esp-{Guid.NewGuid():N}"), FileMode.CreateNew, FileAccess.Write, FileShare.None, 1, FileOptions.DeleteOnClose);
            return true;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
