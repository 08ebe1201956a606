namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// A storm of first-chance exceptions: at least one per object and <see cref="MinPerRun"/> per run, or at least a quarter of the
/// serializer's CPU time for throwing and catching, or, in a row without objects, at least <see cref="MinPerSecond"/> per second, which at
/// 3 to 20 µs each is 1 to 10 % of a processor.
/// </summary>
public sealed class ExceptionStormRule : IFindingRule
{
    private const double MinPerObject = 1;
    private const double MinCpuShare = 0.25;
    private const double MinPerSecond = 5000;

    /// <summary>Fewer per run are not a storm.</summary>
    private const double MinPerRun = 100;

    private const string Advice =
        "check values first (TryParse, a type check), or correct the data; esp-analyze exceptions --stacks 5 shows the throw stacks, esp-record --dump-on TYPE takes a dump at a throw";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var rows = input
            .Result.Rows.Select(row => new ThrownInRow(input, row))
            .Where(IsStorm)
            .OrderByDescending(thrown => thrown.CpuShare ?? 0)
            .ThenByDescending(thrown => thrown.PerSecond)
            .ToList();
        if (rows.Count > 0)
            yield return ListedFinding.Hint(
                "exception-storm",
                FindingConfidence.Certain,
                "a storm of first-chance exceptions",
                rows.ConvertAll(thrown => thrown.Item(perSecond: true, pattern: true)),
                Advice
            );
    }

    /// <summary>Whether the runs of a row throw a storm of exceptions.</summary>
    internal static bool IsStorm(ThrownInRow thrown) =>
        thrown.CpuShare >= MinCpuShare
        || (
            thrown.PerRun >= MinPerRun && (thrown.PerObject is { } perObject ? perObject >= MinPerObject : thrown.PerSecond >= MinPerSecond)
        );
}
