using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Analysis.References.Rules;

/// <summary>Assemblies for different architectures that one process would load.</summary>
public sealed class ArchitectureRule : IReferenceRule
{
    private const string Advice =
        "build all for one architecture, or for any (AnyCPU): a process loads only one architecture, the other throws BadImageFormatException";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(ReferenceSet set)
    {
        ArgumentNullException.ThrowIfNull(set);
        var items = set
            .References.Where(reference =>
                reference.Target is { } target && Fixed(reference.From) is { } from && Fixed(target) is { } to && from != to
            )
            .Select(reference => new ListedItem(
                $"{reference.From.Name} ({reference.From.Architecture}) to {reference.Target!.Name} ({reference.Target.Architecture})",
                []
            ))
            .Distinct()
            .ToList();
        if (items.Count > 0)
            yield return ListedFinding.Warning(
                "assembly-architecture",
                FindingConfidence.Certain,
                "assemblies for one architecture reference assemblies for another",
                items,
                Advice
            );
    }

    /// <summary>
    /// The required architecture of a file; null when it runs anywhere. Precompiled code for another architecture is ignored, and its IL is
    /// used.
    /// </summary>
    private static AssemblyArchitecture? Fixed(AssemblyFile file) =>
        file.Architecture is AssemblyArchitecture.AnyCpu or AssemblyArchitecture.Unknown || file.Code == AssemblyCode.ReadyToRun
            ? null
            : file.Architecture;
}
