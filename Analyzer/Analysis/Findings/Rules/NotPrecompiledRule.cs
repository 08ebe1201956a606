using EtwSerializerProfiler.Analysis.FirstCalls;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// First calls that mostly compile, because the serializer's library has no precompiled code (ReadyToRun; NGen on .NET Framework).
/// </summary>
public sealed class NotPrecompiledRule : IFindingRule
{
    private const double MinShare = 0.3;
    private const int MaxNamed = 3;
    private const string Advice =
        "publish with ReadyToRun (NGen on .NET Framework) if start-up time matters, and compare first calls only between equally precompiled libraries";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        if (input.FirstCalls is not { } calls)
            yield break;
        var jitted = calls
            .Assemblies.Where(assembly => assembly is { Outcome: AssemblyOutcome.Loaded, IsPrecompiled: false })
            .Select(assembly => (assembly.Calls, assembly.Name))
            .ToHashSet();
        var rows = calls
            .Rows.Where(row =>
                row is { MedianMs: > 0, Library.Length: > 0 }
                && row.JitMs > MinShare * row.MedianMs
                && jitted.Contains((row.Key, row.Library))
            )
            .OrderByDescending(row => row.JitMs)
            .ToList();
        if (rows.Count == 0)
            yield break;
        var named = string.Join(
            ", ",
            rows.Take(MaxNamed)
                .Select(row =>
                    FormattableString.Invariant($"{row.Key.Serializer} {row.Key.Operation} ({row.JitMs:0} of {row.MedianMs:0} ms)")
                )
        );
        yield return new Finding(
            FindingKind.Hint,
            "not-precompiled",
            $"first calls compile libraries without precompiled code: {named}{(rows.Count > MaxNamed ? $" and {rows.Count - MaxNamed} more" : "")}; {Advice}"
        )
        {
            Advice = Advice,
            Evidence =
            [
                .. rows.Select(row => new FindingEvidence($"{row.Key}: compilation", row.JitMs!.Value, "ms")),
                .. rows.Where(row => row.Methods is not null)
                    .Select(row => new FindingEvidence($"{row.Key}: methods compiled", row.Methods!.Value, "")),
            ],
            Locations =
            [
                .. rows.SelectMany(row => input.Result.FirstUseRows.Where(first => first.Key == row.Key))
                    .Select(row => row.AllRuns.Where(run => run.Error.Length == 0).OrderByDescending(run => run.JitMs).FirstOrDefault())
                    .OfType<Runs.Run>()
                    .Select(run => FindingLocation.Of(run)),
            ],
        };
    }
}
