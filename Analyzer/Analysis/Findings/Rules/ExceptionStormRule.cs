namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// A storm of first-chance exceptions: one and more for each object and <see cref="LeastPerRun"/> and more a run, or a quarter of the serializer's CPU time and more for throwing and catching,
/// or, where a row has no objects, <see cref="LeastPerSecond"/> and more a second, which at 3 to 20 µs each is 1 to 10 % of a processor.
/// </summary>
public sealed class ExceptionStormRule : IFindingRule
{
    private const double LeastPerObject = 1;
    private const double LeastCpuShare = 0.25;
    private const double LeastPerSecond = 5000;

    /// <summary>Fewer in a run are no storm.</summary>
    private const double LeastPerRun = 100;

    private const string Advice = "values are read by failing: let the reader ask first (TryParse, a look at the type), or correct the data; esp-analyze exceptions --stacks 5 shows from where, esp-record --dump-on TYPE takes a dump of one";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var rows = input.Result.Rows.Select(row => new ThrownInRow(input, row)).Where(IsStorm).OrderByDescending(thrown => thrown.CpuShare ?? 0).ThenByDescending(thrown => thrown.PerSecond).ToList();
        if (rows.Count > 0)
            yield return ListedFinding.Hint("exception-storm", FindingConfidence.Certain, "a storm of first-chance exceptions", rows.ConvertAll(thrown => thrown.Item(perSecond: true, pattern: true)), Advice);
    }

    /// <summary>Whether the runs of a row throw a storm of them.</summary>
    internal static bool IsStorm(ThrownInRow thrown) =>
        thrown.CpuShare >= LeastCpuShare
        || (thrown.PerRun >= LeastPerRun && (thrown.PerObject is { } perObject ? perObject >= LeastPerObject : thrown.PerSecond >= LeastPerSecond));
}
