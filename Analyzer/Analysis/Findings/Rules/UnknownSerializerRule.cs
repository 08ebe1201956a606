using System.Globalization;
using EtwSerializerProfiler.Analysis.Runs.SerializerTests;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Runs of SerializerTests whose serializer no CPU sample identifies.</summary>
public sealed class UnknownSerializerRule : IFindingRule
{
    private const int MaxNumbers = 10;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        foreach (var process in result.Processes)
        {
            var unknown = process.Runs.Where(run => run.Identity.Serializer == SerializerNamer.Unknown).ToList();
            if (unknown.Count == 0)
                continue;
            var numbers = string.Join(", ", unknown.Take(MaxNumbers).Select(run => run.RunId.ToString(CultureInfo.InvariantCulture)));
            var more = unknown.Count > MaxNumbers ? $" and {unknown.Count - MaxNumbers} more" : "";
            yield return new Finding(
                FindingKind.Warning,
                "unknown-serializer",
                $"{process.Process}: {unknown.Count} of {Plural.Of(process.Runs.Count, "run")} have no serializer's name, because none of their CPU samples is below the entry of a known serializer: run {numbers}{more}"
            )
            {
                Advice = "sample with stacks every 1 ms, make longer runs, or record this suite, whose runs carry names",
                Evidence =
                [
                    new FindingEvidence($"{process.Process}: runs without a name", unknown.Count, ""),
                    new FindingEvidence($"{process.Process}: runs", process.Runs.Count, ""),
                ],
                Locations = [.. unknown.Select(run => FindingLocation.Of(run))],
            };
        }
    }
}
