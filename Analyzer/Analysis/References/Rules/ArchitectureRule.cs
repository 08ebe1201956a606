using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Analysis.References.Rules;

/// <summary>Assemblies for different processors where one process would load them.</summary>
public sealed class ArchitectureRule : IReferenceRule
{
    private const string Advice = "build them for one, or for any (AnyCPU): a process loads one of them, the other throws BadImageFormatException";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(ReferenceSet set)
    {
        ArgumentNullException.ThrowIfNull(set);
        var items = set.References.Where(reference => reference.Target is { } target && Fixed(reference.From) is { } from && Fixed(target) is { } to && from != to)
            .Select(reference => new ListedItem($"{reference.From.Name} ({reference.From.Architecture}) to {reference.Target!.Name} ({reference.Target.Architecture})", [])).Distinct().ToList();
        if (items.Count > 0)
            yield return ListedFinding.Warning("assembly-architecture", FindingConfidence.Certain, "assemblies for one processor refer to some for another", items, Advice);
    }

    /// <summary>What a file cannot do without; null when it runs anywhere. Precompiled code for another processor is not used, and its IL is.</summary>
    private static AssemblyArchitecture? Fixed(AssemblyFile file) =>
        file.Architecture is AssemblyArchitecture.AnyCpu or AssemblyArchitecture.Unknown || file.Code == AssemblyCode.ReadyToRun ? null : file.Architecture;
}
