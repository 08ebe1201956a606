using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.Analysis.References.Rules;

/// <summary>References to missing assemblies.</summary>
public sealed class MissingReferenceRule : IReferenceRule
{
    private const string Advice = "deploy it if code that runs needs it: its first call throws FileNotFoundException";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(ReferenceSet set)
    {
        ArgumentNullException.ThrowIfNull(set);
        var items = set
            .References.Where(reference => reference.Status == ReferenceStatus.Missing)
            .GroupBy(reference => reference.Entry.Identity.Name, StringComparer.OrdinalIgnoreCase)
            .OrderByDescending(group => group.Count())
            .ThenBy(group => group.Key, StringComparer.Ordinal)
            .Select(group => new ListedItem(
                $"{group.Key} (for {group.First().From.Name}{(group.Count() > 1 ? $" and {group.Count() - 1} more" : "")})",
                [new FindingEvidence($"references to {group.Key}", group.Count(), "")]
            ))
            .ToList();
        if (items.Count > 0)
            yield return ListedFinding.Hint(
                "reference-missing",
                FindingConfidence.Possible,
                "assemblies are neither beside the program nor in the framework",
                items,
                Advice
            );
    }
}
