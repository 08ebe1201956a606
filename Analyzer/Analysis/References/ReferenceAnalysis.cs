using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.References.Rules;
using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Analysis.References;

/// <summary>Checks references and builds of assemblies for things that can break or slow down a program.</summary>
public static class ReferenceAnalysis
{
    private static readonly IReferenceRule[] s_rules =
    [
        new IllegalFlagsRule(),
        new WrongVersionRule(),
        new WrongKeyRule(),
        new MissingReferenceRule(),
        new ReferenceAssemblyRule(),
        new ArchitectureRule(),
        new UnreadableAssemblyRule(),
        new DebugAssemblyRule(),
        new SeveralCopiesRule(),
        new NotPrecompiledAssemblyRule(),
    ];

    /// <summary>Checks the assemblies.</summary>
    /// <param name="assemblies">The assemblies.</param>
    /// <param name="frameworks">The installed frameworks.</param>
    public static ReferenceResult Run(AssemblySet assemblies, SharedFrameworks frameworks)
    {
        ArgumentNullException.ThrowIfNull(assemblies);
        ArgumentNullException.ThrowIfNull(frameworks);
        var resolver = new ReferenceResolver(assemblies, frameworks);
        var set = new ReferenceSet(
            assemblies,
            [.. assemblies.Files.SelectMany(file => file.References.Select(entry => resolver.Resolve(file, entry)))]
        );
        return new ReferenceResult(
            set,
            [
                .. assemblies.Problems.Select(problem => new Finding(FindingKind.Warning, "input", problem)),
                .. s_rules.SelectMany(rule => rule.Check(set)).OrderBy(finding => finding.Kind),
            ]
        );
    }
}

/// <summary>Result of checking assemblies.</summary>
/// <param name="Set">Files and references.</param>
/// <param name="Findings">Findings, warnings first.</param>
public sealed record ReferenceResult(ReferenceSet Set, IReadOnlyList<Finding> Findings);
