using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Analysis.References.Rules;

/// <summary>Assemblies that disable the JIT's optimizations.</summary>
public sealed class DebugAssemblyRule : IReferenceRule
{
    private const string Advice =
        "build them with -c Release: debug builds are several times slower, and measurements of them do not apply to the shipped code";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(ReferenceSet set)
    {
        ArgumentNullException.ThrowIfNull(set);
        var items = set
            .Managed.Where(file => file is { DisablesOptimizations: true, IsReferenceAssembly: false, Code: not AssemblyCode.None })
            .OrderByDescending(file => file.Methods)
            .Select(file => new ListedItem(
                $"{set.PathOf(file)} ({Plural.Of(file.Methods, "method")})",
                [new FindingEvidence($"methods of {set.PathOf(file)}", file.Methods, "")]
            ))
            .ToList();
        if (items.Count > 0)
            yield return ListedFinding.Warning("assembly-debug", FindingConfidence.Certain, "debug builds, not optimized", items, Advice);
    }
}
