using System.IO.Enumeration;

namespace EtwSerializerProfiler.Traces.Assemblies;

/// <summary>Assemblies of one or more programs, with the configuration files that control their loading.</summary>
public sealed class AssemblySet
{
    private static readonly string[] s_extensions = [".dll", ".exe"];
    private readonly Dictionary<string, ProgramConfiguration> _configurations;

    private AssemblySet(
        IReadOnlyList<string> roots,
        IReadOnlyList<AssemblyFile> files,
        Dictionary<string, ProgramConfiguration> configurations,
        IReadOnlyList<string> problems
    )
    {
        (Roots, Files, Problems) = (roots, files, problems);
        _configurations = configurations;
    }

    /// <summary>The named folders as full paths; for a named file, its folder.</summary>
    public IReadOnlyList<string> Roots { get; }

    /// <summary>All libraries and programs found, including native and unreadable ones, ordered by path.</summary>
    public IReadOnlyList<AssemblyFile> Files { get; }

    /// <summary>Problems of unreadable files, one sentence each.</summary>
    public IReadOnlyList<string> Problems { get; }

    /// <summary>Configuration of a folder; null when it contains none of the files.</summary>
    public ProgramConfiguration? ConfigurationOf(string folder) => _configurations.GetValueOrDefault(folder);

    /// <summary>Reads files, and folders with their sub-folders.</summary>
    /// <param name="paths">Files (.dll, .exe) and folders.</param>
    /// <exception cref="TraceFormatException">A path does not exist, or none contains a library or program.</exception>
    public static AssemblySet Open(IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var (found, roots, problems) = (new SortedSet<string>(StringComparer.Ordinal), new List<string>(), new List<string>());
        foreach (var path in paths)
        {
            var full = Path.GetFullPath(path);
            if (Directory.Exists(full))
                found.UnionWith(Below(full));
            else if (File.Exists(full))
                found.Add(full);
            else
                throw new TraceFormatException(
                    path,
                    null,
                    "a folder, or an assembly (.dll, .exe)",
                    "the file does not exist",
                    "name an existing file"
                );
            roots.Add(Path.TrimEndingDirectorySeparator(Directory.Exists(full) ? full : Path.GetDirectoryName(full)!));
        }

        var files = new List<AssemblyFile>();
        foreach (var path in found)
        {
            try
            {
                files.Add(AssemblyFileReader.Read(path));
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                problems.Add($"{path}: {exception.Message.TrimEnd('.')}");
            }
        }

        if (!files.Exists(file => file.Kind is AssemblyKind.Managed or AssemblyKind.Module))
            throw Without(paths.Count > 0 ? paths[0] : "", files, problems);
        var configurations = files.Select(file => file.Folder).Distinct().ToDictionary(folder => folder, ProgramConfiguration.Read);
        return new AssemblySet(
            [.. roots.Distinct()],
            files,
            configurations,
            [.. problems, .. configurations.Values.SelectMany(configuration => configuration.Problems)]
        );
    }

    /// <summary>Does not follow links to folders, which can be circular.</summary>
    private static FileSystemEnumerable<string> Below(string folder) =>
        new(
            folder,
            (ref FileSystemEntry entry) => entry.ToFullPath(),
            new EnumerationOptions { RecurseSubdirectories = true, IgnoreInaccessible = true }
        )
        {
            ShouldIncludePredicate = (ref FileSystemEntry entry) => !entry.IsDirectory && IsCandidate(entry.ToFullPath()),
            ShouldRecursePredicate = (ref FileSystemEntry entry) => (entry.Attributes & FileAttributes.ReparsePoint) == 0,
        };

    private static bool IsCandidate(string path) => s_extensions.Contains(Path.GetExtension(path), StringComparer.OrdinalIgnoreCase);

    private static TraceFormatException Without(string path, List<AssemblyFile> files, List<string> problems)
    {
        var (found, fix) = Instead(files, problems);
        return new TraceFormatException(path, null, "assemblies of .NET (.dll, .exe)", found, fix);
    }

    private static (string Found, string Fix) Instead(List<AssemblyFile> files, List<string> problems) =>
        files.Find(file => file.Kind == AssemblyKind.Unreadable) is { } damaged
            ? ($"{damaged.Path} cannot be read: {damaged.Problem}", "copy or build it again")
        : files.Count > 0 ? ($"found {files.Count} native files only", "name the folder of the program's own build output")
        : problems.Count > 0 ? (problems[0], "make it readable, or name the folder of a build output")
        : ("found none", "name the folder of a build output");
}
