using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Analysis.References;

/// <summary>Input of the rules on assemblies.</summary>
/// <param name="Assemblies">The files.</param>
/// <param name="References">All references of the managed ones.</param>
public sealed record ReferenceSet(AssemblySet Assemblies, IReadOnlyList<CheckedReference> References)
{
    /// <summary>The managed files with an identity.</summary>
    public IEnumerable<AssemblyFile> Managed => Assemblies.Files.Where(file => file.Kind == AssemblyKind.Managed);

    /// <summary>A file's path relative to the named folder.</summary>
    public string PathOf(AssemblyFile file)
    {
        ArgumentNullException.ThrowIfNull(file);
        var full = Path.GetFullPath(file.Path);
        var root = Assemblies.Roots.Where(root => full.StartsWith(root, StringComparison.Ordinal)).MaxBy(root => root.Length);
        return root is null || Assemblies.Roots.Count > 1 ? full : Path.GetRelativePath(root, full);
    }
}
