using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.Assemblies;

/// <summary>Shared frameworks of .NET on this machine, which contain assemblies that programs do not bring.</summary>
public sealed class SharedFrameworks
{
    private const string Core = "Microsoft.NETCore.App";

    /// <summary>Folders of frameworks by name and version; empty without an installed .NET.</summary>
    private readonly List<(string Name, Version Version, string Folder)> _installed = [];

    /// <summary>Versions of a framework's assemblies by simple name, by its folder; read on demand.</summary>
    private readonly Dictionary<string, IReadOnlyDictionary<string, Version>> _assemblies = [];

    /// <summary>Reads a folder <c>dotnet/shared</c>.</summary>
    public SharedFrameworks(string sharedFolder)
    {
        if (!Directory.Exists(sharedFolder))
            return;
        foreach (var framework in Directory.EnumerateDirectories(sharedFolder))
        {
            foreach (var folder in Directory.EnumerateDirectories(framework))
            {
                if (Version.TryParse(Path.GetFileName(folder).Split('-')[0], out var version))
                    _installed.Add((Path.GetFileName(framework), version, folder));
            }
        }
    }

    /// <summary>The frameworks of this program's runtime, or of DOTNET_ROOT.</summary>
    public static SharedFrameworks OfThisMachine() =>
        new(
            Environment.GetEnvironmentVariable("DOTNET_ROOT") is { Length: > 0 } root
                ? Path.Combine(root, "shared")
                : Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", ".."))
        );

    /// <summary>
    /// Finds an assembly in the framework that a program for a version of .NET gets, or in a sibling framework (ASP.NET Core, Windows
    /// Desktop).
    /// </summary>
    /// <param name="name">Simple name of the assembly.</param>
    /// <param name="version">Target version of .NET; a later one is used if it is not installed.</param>
    /// <returns>Its version and folder; null when no framework has it.</returns>
    public (Version Version, string Folder)? Find(string name, Version version)
    {
        ArgumentNullException.ThrowIfNull(version);
        foreach (
            var framework in _installed
                .GroupBy(installed => installed.Name)
                .OrderBy(group => group.Key == Core ? 0 : 1)
                .ThenBy(group => group.Key, StringComparer.Ordinal)
        )
        {
            // Rolls forward like the host: the latest patch of the version, else of the next version, else any version.
            var sorted = framework
                .OrderBy(installed =>
                    installed.Version.Major == version.Major && installed.Version.Minor == version.Minor ? 0
                    : installed.Version > version ? 1
                    : 2
                )
                .ThenBy(installed =>
                    installed.Version > version
                        ? (installed.Version.Major, installed.Version.Minor)
                        : (-installed.Version.Major, -installed.Version.Minor)
                )
                .ThenByDescending(installed => installed.Version);
            var folder = sorted.First().Folder;
            if (Assemblies(folder).TryGetValue(name, out var found))
                return (found, folder);
        }

        return null;
    }

    private IReadOnlyDictionary<string, Version> Assemblies(string folder)
    {
        if (_assemblies.TryGetValue(folder, out var known))
            return known;
        var versions = new Dictionary<string, Version>(StringComparer.OrdinalIgnoreCase);
        foreach (var path in Directory.EnumerateFiles(folder, "*.dll"))
        {
            if (AssemblyFileReader.Read(path).Identity is { } identity)
                versions[identity.Name] = identity.Version;
        }

        return _assemblies[folder] = versions;
    }
}
