using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Runs that the machine slowed down, not the serializer. There are two signs: the speed probe before or after a run took longer than
/// <see cref="SpeedProbe.SlowFactor"/> times the fastest one of its process (another guest on the core, a lower clock), or the measuring
/// thread was ready without a processor (other programs).
/// </summary>
public sealed class NoisyMachineRule : IFindingRule
{
    private const string Code = "noisy-machine";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        return [.. Slow(input), .. Ready(input)];
    }

    private static IEnumerable<Finding> Slow(FindingInput input)
    {
        var runs = input.Result.Rows.SelectMany(row => row.CountedRuns).Where(run => run.SlowPercent is not null).ToList();
        var slow = runs.Count(RowTrust.IsSlow);
        var isSteady = input.Recordings.Any(recording =>
            recording.Description.Command.Contains("-steady", StringComparer.OrdinalIgnoreCase)
        );
        return RowFinding
            .Hint(
                Code,
                FormattableString.Invariant(
                    $"the machine ran below its full speed around {slow} of {runs.Count} measured runs, by its speed probe; rows with the largest shares"
                ),
                input.Result.Rows.Where(RowTrust.RanSlowly),
                RowTrust.SlowPercent,
                row => $"{RowTrust.SlowPercent(row):0} %",
                isSteady ? "make more runs, or record on another machine" : "record with -steady, or on another machine",
                worst: run => run.SlowPercent
            )
            .Select(finding =>
                finding with
                {
                    Evidence =
                    [
                        new FindingEvidence("measured runs on a slow machine", 100.0 * slow / runs.Count, "%"),
                        .. finding.Evidence,
                    ],
                }
            );
    }

    private static IEnumerable<Finding> Ready(FindingInput input) =>
        RowFinding.Hint(
            Code,
            "the measuring thread waited for a processor for over 5 % of the time",
            input.Result.Rows.Where(RowTrust.LackedProcessor),
            RowTrust.ReadyPercent,
            row => $"{RowTrust.ReadyPercent(row):0} %",
            "end other programs, or compare CPU time (CPU ms)",
            worst: run => run.Measuring?.ReadyMs
        );
}
