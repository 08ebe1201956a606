using EtwSerializerProfiler.Analysis.Exceptions;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Exceptions in a hot path: more than one per 100 objects, or more than a twentieth of the serializer's CPU time for throwing and
/// catching. <see cref="ExceptionStormRule"/> handles rows with a storm of them.
/// </summary>
public sealed class ExceptionFlowRule : IFindingRule
{
    private const double MaxPerObject = 0.01;
    private const double MaxCpuShare = 0.05;

    /// <summary>Fewer per run are not a hot path, whatever the number of objects.</summary>
    private const double MinPerRun = 10;

    private const string Advice =
        "check first (TryParse, a type check) instead of throwing for each value: an exception costs 3 to 20 µs, more with each frame between throw and catch";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var rows = input
            .Result.Rows.Select(row => new ThrownInRow(input, row))
            .Where(thrown => !ExceptionStormRule.IsStorm(thrown) && (IsHot(thrown) || thrown.CpuShare > MaxCpuShare))
            .OrderByDescending(thrown => thrown.CpuShare ?? 0)
            .ThenByDescending(thrown => thrown.PerObject)
            .ToList();
        if (rows.Count > 0)
            yield return ListedFinding.Hint(
                "exceptions",
                FindingConfidence.Likely,
                "exceptions are thrown in a hot path",
                rows.ConvertAll(thrown => thrown.Item()),
                Advice
            );
    }

    private static bool IsHot(ThrownInRow thrown) => thrown.PerObject > MaxPerObject && thrown.PerRun >= MinPerRun;

    /// <summary>Location of the first exception in a row.</summary>
    internal static FindingLocation? FirstOf(ExceptionRow? row) =>
        row?.First is { } at
            ? new FindingLocation(
                at.Process,
                at.RunId,
                at.StartMs,
                at.StopMs,
                $"first {row.Type ?? "exception"}{ListedFinding.In(row.Method)}"
            )
            : null;
}
