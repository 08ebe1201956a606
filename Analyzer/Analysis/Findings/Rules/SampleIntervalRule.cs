namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>CPU samples 10 ms or more apart, so that a run of some milliseconds has at most one.</summary>
public sealed class SampleIntervalRule : IFindingRule
{
    private const double CoarseMs = 10;
    private const string Advice =
        "sample every 1 ms: on Linux leave --sample-rate at its default, on Windows xperf -SetProfInt Timer 10000 or restart";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        foreach (var runs in input.Result.Runs.Where(run => run.Samples?.Count > 0).GroupBy(run => run.Process.Recording))
        {
            // A sample represents the time since the previous one, so the mean is the interval.
            var (samples, ms) = (runs.Sum(run => run.Samples!.Count), runs.Sum(run => run.Samples!.CpuMs));
            if (ms / samples < CoarseMs)
                continue;
            var prefix = runs.Key.Length > 0 ? runs.Key + ": " : "";
            yield return new Finding(
                FindingKind.Warning,
                "sample-interval",
                FormattableString.Invariant(
                    $"{prefix}CPU was sampled every {ms / samples:0.###} ms: shares and causes of short runs are guesses; {Advice}"
                )
            )
            {
                Advice = Advice,
                Evidence =
                [
                    new FindingEvidence($"{prefix}time between samples", ms / samples, "ms"),
                    new FindingEvidence($"{prefix}samples in runs", samples, ""),
                ],
            };
        }
    }
}
