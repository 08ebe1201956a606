namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Chooses the folder for builds of the suite.</summary>
public static class PublishFolder
{
    /// <summary>Returns the preferred folder if this user may write there, otherwise a folder of the user.</summary>
    /// <param name="wanted">Folder beside the other build output of the source tree.</param>
    /// <returns>
    /// The folder; empty when neither is possible. Never uses /tmp, where any other user could create the folder first and put programs
    /// into it.
    /// </returns>
    public static string Choose(string wanted) => Choose(wanted, Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData));

    /// <inheritdoc cref="Choose(string)"/>
    /// <param name="wanted">Folder beside the other build output of the source tree.</param>
    /// <param name="own">The user's folder for application data; empty for a user without a home folder.</param>
    internal static string Choose(string wanted, string own)
    {
        if (CanWrite(wanted))
            return wanted;
        return own.Length > 0 ? Path.Combine(own, "EtwSerializerProfiler", "runtimes") : "";
    }

    /// <summary>Whether files can be created in the folder, or in its nearest existing parent. Leaves no files behind.</summary>
    private static bool CanWrite(string folder)
    {
        var existing = folder;
        while (!Directory.Exists(existing) && Path.GetDirectoryName(existing) is { } above)
            existing = above;
        try
        {
            using var _ = new FileStream(
                Path.Combine(existing, $".esp-{Guid.NewGuid():N}"),
                FileMode.CreateNew,
                FileAccess.Write,
                FileShare.None,
                1,
                FileOptions.DeleteOnClose
            );
            return true;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
