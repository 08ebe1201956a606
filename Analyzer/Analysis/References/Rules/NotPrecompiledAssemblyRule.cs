using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Analysis.References.Rules;

/// <summary>.NET programs whose assemblies are all compiled at start-up.</summary>
public sealed class NotPrecompiledAssemblyRule : IReferenceRule
{
    private const string Advice =
        "publish with -p:PublishReadyToRun=true if start-up time matters; 'esp-record -test firstcall' measures it, with and without (--precompile both)";

    /// <summary>With fewer methods, compilation takes little time.</summary>
    private const int MinMethods = 1000;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(ReferenceSet set)
    {
        ArgumentNullException.ThrowIfNull(set);
        var folders = set
            .Managed.Select(file => file.Folder)
            .Distinct()
            .Where(folder => set.Assemblies.ConfigurationOf(folder) is { Frameworks.Count: > 0 } or { IsSelfContained: true })
            .ToHashSet();
        var items = set
            .Managed.Where(file => folders.Contains(file.Folder) && file.Code == AssemblyCode.Il && file.Methods >= MinMethods)
            .OrderByDescending(file => file.Methods)
            .Select(file => new ListedItem(
                $"{set.PathOf(file)} ({Plural.Of(file.Methods, "method")})",
                [new FindingEvidence($"methods of {set.PathOf(file)}", file.Methods, "")]
            ))
            .ToList();
        if (items.Count > 0)
            yield return ListedFinding.Hint(
                "assembly-il",
                FindingConfidence.Possible,
                "code is compiled when it is first called, which slows the start",
                items,
                Advice
            );
    }
}
