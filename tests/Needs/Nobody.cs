namespace EtwSerializerProfiler.TestSupport;

/// <summary>How tests that were started by root run programs as the user nobody.</summary>
internal static class Nobody
{
    /// <summary>
    /// Program that gives up root's rights and becomes another one by exec: a process that only changes its user is not dumpable and may
    /// not record its own children.
    /// </summary>
    public const string SetPrivileges = "/usr/bin/setpriv";

    /// <summary>Its arguments before the command.</summary>
    public static IReadOnlyList<string> Arguments { get; } =
    ["--reuid=nobody", "--regid=nogroup", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all", "--"];

    /// <summary>
    /// Skips a test that cannot run the built programs as nobody: it was not started by root, or the sources are in a folder that other
    /// users may not enter.
    /// </summary>
    public static void SkipUnlessPossible()
    {
        Assert.SkipUnless(Environment.UserName == "root", "only root can start a program as another user");
        Assert.SkipUnless(File.Exists(SetPrivileges), "setpriv (util-linux) is not installed");
        if (OperatingSystem.IsWindows())
            return;
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
            Assert.SkipUnless((folder.UnixFileMode & UnixFileMode.OtherExecute) != 0, $"other users may not enter {folder.FullName}");
    }
}
