using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Modules compiled without optimization, which a debug build requests from the JIT. A single method with such an attribute is not enough:
/// nearly all samples in the module's jitted code must be in such methods. The tiers are those of .NET Core 3 and later; .NET Framework and
/// Mono do not report them.
/// </summary>
public sealed class DebugBuildRule : IFindingRule
{
    private const long MinSamples = 20;
    private const int MinMethods = 2;
    private const double MinShare = 0.9;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var modules = (input.Methods ?? [])
            .Where(method => method is { Kind: CodeKind.Managed, Samples: > 0 } && method.Tiers.Any(tier => tier != CodeTier.ReadyToRun))
            .GroupBy(method => method.Module)
            .Select(module =>
                (
                    Name: module.Key,
                    All: module.Sum(method => method.Samples),
                    Debug: module.Where(IsUnoptimized).Sum(method => method.Samples),
                    Methods: module.Where(IsUnoptimized).Select(method => method.Name).Distinct().Count(),
                    CpuMs: module.Where(IsUnoptimized).Sum(method => method.CpuMs)
                )
            )
            .Where(module => module.All >= MinSamples && module.Methods >= MinMethods && module.Debug >= MinShare * module.All)
            .OrderByDescending(module => module.Debug)
            .ToList();
        if (modules.Count == 0)
            yield break;
        var advice = $"build {(modules.Count == 1 ? "it" : "them")} with -c Release, and leave DOTNET_JITMinOpts unset";
        yield return new Finding(
            FindingKind.Warning,
            "debug-build",
            $"{string.Join(", ", modules.Select(module => module.Name))}: compiled without optimization, like a debug build, so the numbers do not apply to the shipped code; {advice}"
        )
        {
            Confidence = FindingConfidence.Likely,
            Advice = advice,
            Evidence =
            [
                .. modules.Select(module => new FindingEvidence(
                    $"{module.Name}: samples in unoptimized methods, as a share of its jitted code",
                    100.0 * module.Debug / module.All,
                    "%"
                )),
                .. modules.Select(module => new FindingEvidence($"{module.Name}: CPU time in unoptimized methods", module.CpuMs, "ms")),
            ],
        };
    }

    private static bool IsUnoptimized(MethodCost method) => method.Tiers is [CodeTier.MinOpt];
}
