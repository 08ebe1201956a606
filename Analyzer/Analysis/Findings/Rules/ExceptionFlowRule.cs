using EtwSerializerProfiler.Analysis.Exceptions;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Exceptions in a hot path: more than one for 100 objects, or more than a twentieth of the serializer's CPU time for throwing and catching. Rows with a storm of them are
/// <see cref="ExceptionStormRule"/>'s.
/// </summary>
public sealed class ExceptionFlowRule : IFindingRule
{
    private const double LargestPerObject = 0.01;
    private const double LargestCpuShare = 0.05;

    /// <summary>Fewer in a run are no hot path, whatever the number of its objects.</summary>
    private const double LeastPerRun = 10;

    private const string Advice = "ask before (TryParse, a look at the type) instead of throwing for each value: an exception costs 3 to 20 µs, more with every frame in between";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var rows = input.Result.Rows.Select(row => new ThrownInRow(input, row)).Where(thrown => !ExceptionStormRule.IsStorm(thrown) && (IsHot(thrown) || thrown.CpuShare > LargestCpuShare))
            .OrderByDescending(thrown => thrown.CpuShare ?? 0).ThenByDescending(thrown => thrown.PerObject).ToList();
        if (rows.Count > 0)
            yield return ListedFinding.Hint("exceptions", FindingConfidence.Likely, "exceptions are thrown in a hot path", rows.ConvertAll(thrown => thrown.Item()), Advice);
    }

    private static bool IsHot(ThrownInRow thrown) => thrown.PerObject > LargestPerObject && thrown.PerRun >= LeastPerRun;

    /// <summary>Where the first exception of a row of exceptions was thrown.</summary>
    internal static FindingPlace? FirstOf(ExceptionRow? row) =>
        row?.First is { } place ? new FindingPlace(place.Process, place.RunId, place.StartMs, place.StopMs, $"first {row.Type ?? "exception"}{ListedFinding.In(row.Method)}") : null;
}
