namespace EtwSerializerProfiler.TestSupport;

/// <summary>Paths of test files.</summary>
public static class TestFiles
{
    /// <summary>Root of the repository: the folder with the solution above the test's own.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>Recording with marks, made with .NET 10.</summary>
    public static string Recording => Data("net10");

    /// <summary>Trace of a program without marks.</summary>
    public static string Unmarked => Data("unmarked/program.nettrace");

    /// <summary>A file or folder of tests/TestData.</summary>
    public static string Data(string path) => Path.GetFullPath(Path.Combine(Root, "tests", "TestData", path));

    private static string FindRoot()
    {
        for (var folder = AppContext.BaseDirectory; folder is not null; folder = Path.GetDirectoryName(folder))
        {
            if (File.Exists(Path.Combine(folder, "EtwSerializerProfiler.sln")))
                return folder;
        }

        throw new DirectoryNotFoundException($"No EtwSerializerProfiler.sln above {AppContext.BaseDirectory}.");
    }
}
