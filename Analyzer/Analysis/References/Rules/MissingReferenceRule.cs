using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.Analysis.References.Rules;

/// <summary>References to what is nowhere.</summary>
public sealed class MissingReferenceRule : IReferenceRule
{
    private const string Advice = "deploy it where code that is called needs it; what never calls it does not miss it (FileNotFoundException at the first call)";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(ReferenceSet set)
    {
        ArgumentNullException.ThrowIfNull(set);
        var items = set.References.Where(reference => reference.Status == ReferenceStatus.Missing).GroupBy(reference => reference.Entry.Identity.Name, StringComparer.OrdinalIgnoreCase)
            .OrderByDescending(group => group.Count()).ThenBy(group => group.Key, StringComparer.Ordinal)
            .Select(group => new ListedItem($"{group.Key} (for {group.First().From.Name}{(group.Count() > 1 ? $" and {group.Count() - 1} more" : "")})", [new FindingFigure($"references to {group.Key}", group.Count(), "")])).ToList();
        if (items.Count > 0)
            yield return ListedFinding.Hint("reference-missing", FindingConfidence.Possible, "assemblies are neither beside the program nor in the framework", items, Advice);
    }
}
