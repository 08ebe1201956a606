using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Analysis.References.Rules;

/// <summary>References with flags that the reference table must not have.</summary>
public sealed class IllegalFlagsRule : IReferenceRule
{
    private const string Advice =
        "build it again without the tool that rewrote it (Code Contracts 1.9 leaves 0x70): the runtime may treat references with and without such flags as two assemblies, and then X[] does not convert to IEnumerable<X> (InvalidCastException)";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(ReferenceSet set)
    {
        ArgumentNullException.ThrowIfNull(set);
        var items = set
            .References.Where(reference => AssemblyReferenceFlags.IsIllegal(reference.Entry.Flags))
            .Select(reference => new ListedItem(
                $"{reference.Title} ({AssemblyReferenceFlags.Text(reference.Entry.Flags)})",
                [new FindingEvidence($"flags of {reference.Title}", reference.Entry.Flags, "")]
            ))
            .ToList();
        if (items.Count > 0)
            yield return ListedFinding.Warning(
                "reference-flags",
                FindingConfidence.Certain,
                "references have flags other than 0x1, 0x100 and 0x200",
                items,
                Advice
            );
    }
}
