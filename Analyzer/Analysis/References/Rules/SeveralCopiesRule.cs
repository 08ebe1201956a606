using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.Analysis.References.Rules;

/// <summary>Assemblies of one name, of which a process could load more than one.</summary>
public sealed class SeveralCopiesRule : IReferenceRule
{
    private const string Advice = "deploy one: types of two copies are different types, even of the same version";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(ReferenceSet set)
    {
        ArgumentNullException.ThrowIfNull(set);
        var items = set.Managed.Where(file => !IsForOneSystem(set.PathOf(file))).GroupBy(file => (Name: file.Name.ToUpperInvariant(), file.Identity!.Culture))
            .SelectMany(group => group.SelectMany(lower => group.Where(upper => upper.ModuleId != lower.ModuleId && lower.Folder.StartsWith(upper.Folder + Path.DirectorySeparatorChar, StringComparison.Ordinal))
                .Select(upper => new ListedItem($"{set.PathOf(upper)} {upper.Identity!.Version} and {set.PathOf(lower)} {lower.Identity!.Version}", [])))).ToList();
        if (items.Count > 0)
            yield return ListedFinding.Hint("assembly-copies", FindingConfidence.Possible, "different assemblies have one name", items, Advice);
    }

    /// <summary>NuGet lays implementations for other systems and runtimes into a folder of that name; the host picks one.</summary>
    private static bool IsForOneSystem(string path) => path.Split(Path.DirectorySeparatorChar).Contains("runtimes");
}
