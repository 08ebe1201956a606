using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.Analysis.References.Rules;

/// <summary>Different assemblies with the same name that a process could load together.</summary>
public sealed class SeveralCopiesRule : IReferenceRule
{
    private const string Advice = "deploy one: types of two copies are different types, even of the same version";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(ReferenceSet set)
    {
        ArgumentNullException.ThrowIfNull(set);
        var items = set
            .Managed.Where(file => !IsForOneSystem(set.PathOf(file)))
            .GroupBy(file => (Name: file.Name.ToUpperInvariant(), file.Identity!.Culture))
            .SelectMany(group =>
                group.SelectMany(lower =>
                    group
                        .Where(upper =>
                            upper.ModuleId != lower.ModuleId
                            && lower.Folder.StartsWith(upper.Folder + Path.DirectorySeparatorChar, StringComparison.Ordinal)
                        )
                        .Select(upper => new ListedItem(
                            $"{set.PathOf(upper)} {upper.Identity!.Version} and {set.PathOf(lower)} {lower.Identity!.Version}",
                            []
                        ))
                )
            )
            .ToList();
        if (items.Count > 0)
            yield return ListedFinding.Hint(
                "assembly-copies",
                FindingConfidence.Possible,
                "different assemblies have the same name",
                items,
                Advice
            );
    }

    /// <summary>NuGet puts implementations for other systems and runtimes into a folder of that name, and the host selects one.</summary>
    private static bool IsForOneSystem(string path) => path.Split(Path.DirectorySeparatorChar).Contains("runtimes");
}
