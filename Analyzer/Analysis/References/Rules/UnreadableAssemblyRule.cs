using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Analysis.References.Rules;

/// <summary>Files that are damaged or not libraries.</summary>
public sealed class UnreadableAssemblyRule : IReferenceRule
{
    private const string Advice = "build or copy them again; obfuscators can write metadata that only some runtimes read";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(ReferenceSet set)
    {
        ArgumentNullException.ThrowIfNull(set);
        var items = set
            .Assemblies.Files.Where(file => file.Kind == AssemblyKind.Unreadable)
            .Select(file => new ListedItem($"{set.PathOf(file)} ({file.Problem})", []))
            .ToList();
        if (items.Count > 0)
            yield return ListedFinding.Warning(
                "assembly-unreadable",
                FindingConfidence.Certain,
                "files are not readable as assemblies or native images",
                items,
                Advice
            );
    }
}
