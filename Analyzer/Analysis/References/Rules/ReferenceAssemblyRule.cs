using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Analysis.References.Rules;

/// <summary>Reference assemblies, which have no code, that a program would load.</summary>
public sealed class ReferenceAssemblyRule : IReferenceRule
{
    private const string Advice = "deploy the implementation: loading a reference assembly throws BadImageFormatException";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(ReferenceSet set)
    {
        ArgumentNullException.ThrowIfNull(set);
        var wanted = set
            .References.Where(reference => !reference.From.IsReferenceAssembly)
            .Select(reference => reference.Target)
            .OfType<AssemblyFile>()
            .ToHashSet();
        var items = set
            .Managed.Where(file => file.IsReferenceAssembly && wanted.Contains(file))
            .Select(file => new ListedItem(set.PathOf(file), []))
            .ToList();
        if (items.Count > 0)
            yield return ListedFinding.Warning(
                "assembly-reference",
                FindingConfidence.Certain,
                "reference assemblies would be loaded",
                items,
                Advice
            );
    }
}
