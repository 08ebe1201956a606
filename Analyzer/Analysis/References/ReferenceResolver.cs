using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Analysis.References;

/// <summary>
/// Finds the assembly that a reference would load: the file of that name beside the assembly or in a folder above it (satellites and
/// plugins are below their program), else that of the framework. The version rules depend on whether the folder is for .NET or .NET
/// Framework.
/// </summary>
internal sealed class ReferenceResolver
{
    private const string NetCore = ".NETCoreApp,Version=v";
    private const string NetFramework = ".NETFramework,Version=v";

    /// <summary>
    /// Keys of Microsoft's frameworks: an assembly with such a key that is not beside the program belongs to the framework.
    /// </summary>
    private static readonly HashSet<string> s_frameworkTokens =
    [
        "b77a5c561934e089",
        "b03f5f7f11d50a3a",
        "31bf3856ad364e35",
        "cc7b13ffcd2ddd51",
        "7cec85d7bea7798e",
    ];

    private readonly AssemblySet _set;
    private readonly SharedFrameworks _frameworks;
    private readonly Dictionary<(string Folder, string Name, string Culture), AssemblyFile> _files;

    /// <summary>Whether a folder is for .NET Framework, and its version of .NET, by folder.</summary>
    private readonly Dictionary<string, (bool IsNetFramework, Version Version)> _targets = [];

    public ReferenceResolver(AssemblySet set, SharedFrameworks frameworks)
    {
        (_set, _frameworks) = (set, frameworks);
        _files = set
            .Files.Where(file => file.Identity is not null)
            .GroupBy(file => (file.Folder, file.Name.ToUpperInvariant(), file.Identity!.Culture))
            .ToDictionary(group => group.Key, group => group.First());
    }

    /// <summary>Resolves a reference.</summary>
    public CheckedReference Resolve(AssemblyFile from, AssemblyReferenceEntry entry)
    {
        var (isNetFramework, version) = TargetOf(from.Folder);
        var redirect = isNetFramework ? Redirect(from.Folder, entry.Identity) : null;
        foreach (var folder in Chain(from.Folder))
        {
            if (
                _files.TryGetValue((folder, entry.Identity.Name.ToUpperInvariant(), entry.Identity.Culture), out var file)
                && !ReferenceEquals(file, from)
            )
                return new CheckedReference(from, entry, ReferenceStatus.Found, isNetFramework)
                {
                    Target = file,
                    FoundVersion = file.Identity!.Version,
                    RedirectedTo = redirect,
                };
        }

        if (!isNetFramework && _frameworks.Find(entry.Identity.Name, version) is var (found, path))
        {
            var folder = Version.TryParse(Path.GetFileName(path).Split('-')[0], out var of) ? of : version;
            return new CheckedReference(from, entry, ReferenceStatus.Framework, isNetFramework)
            {
                FoundVersion = found,
                IsFrameworkExact = folder.Major == version.Major,
            };
        }

        return new CheckedReference(
            from,
            entry,
            s_frameworkTokens.Contains(entry.Identity.PublicKeyToken) ? ReferenceStatus.OtherFramework : ReferenceStatus.Missing,
            isNetFramework
        )
        {
            RedirectedTo = redirect,
        };
    }

    private static Version? VersionOf(string framework, string prefix) =>
        framework.StartsWith(prefix, StringComparison.Ordinal)
        && Version.TryParse(framework[prefix.Length..].Split(',')[0], out var version)
            ? version
            : null;

    /// <summary>
    /// Target of a folder's program: by *.runtimeconfig.json, else by the target of most of its assemblies, else this machine's .NET.
    /// </summary>
    private (bool IsNetFramework, Version Version) TargetOf(string folder)
    {
        if (_targets.TryGetValue(folder, out var known))
            return known;
        return _targets[folder] = Find();

        (bool IsNetFramework, Version Version) Find()
        {
            foreach (var above in Chain(folder))
            {
                if (Configured(above) is { } asked)
                    return (false, asked);
            }

            var own = _set.Files.Where(file => file.Folder == folder && file.TargetFramework.Length > 0).ToList();
            var core = own.Select(file => VersionOf(file.TargetFramework, NetCore)).OfType<Version>().ToList();
            var framework = own.Select(file => VersionOf(file.TargetFramework, NetFramework)).OfType<Version>().ToList();
            if (
                core.Count == 0
                && framework.Count == 0
                && own.Count == 0
                && _set.Files.Any(file =>
                    file.Folder == folder
                    && file.References.Any(reference => reference.Identity is { Name: "mscorlib", Version.Major: 2 or 4 })
                )
            )
                return (true, new Version(4, 0));
            return core.Count >= framework.Count ? (false, core.Max() ?? Environment.Version) : (true, framework.Max()!);
        }
    }

    private Version? Configured(string folder) =>
        _set.ConfigurationOf(folder)
            ?.Frameworks.Select(framework => Version.TryParse(framework.Version.Split('-')[0], out var version) ? version : null)
            .OfType<Version>()
            .Max();

    private Version? Redirect(string folder, AssemblyIdentity wanted) =>
        Chain(folder)
            .SelectMany(above => _set.ConfigurationOf(above)?.Redirects ?? [])
            .FirstOrDefault(redirect =>
                string.Equals(redirect.Name, wanted.Name, StringComparison.OrdinalIgnoreCase)
                && redirect.Oldest <= wanted.Version
                && wanted.Version <= redirect.Newest
            )
            ?.Version;

    /// <summary>A folder and its parents, up to the named one.</summary>
    private IEnumerable<string> Chain(string folder)
    {
        var root =
            _set.Roots.Where(root => folder == root || folder.StartsWith(root + Path.DirectorySeparatorChar, StringComparison.Ordinal))
                .MinBy(root => root.Length)
            ?? folder;
        for (string? at = folder; at is not null; at = Path.GetDirectoryName(at))
        {
            yield return at;
            if (at == root)
                yield break;
        }
    }
}
