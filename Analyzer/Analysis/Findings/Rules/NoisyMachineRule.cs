using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Runs that a machine slowed down instead of their serializer. Two signs: the speed probe before or after a run took longer than <see cref="SpeedProbe.SlowFactor"/> times the fastest one of its
/// process (another guest on the core, a lower clock), and time in which the measuring thread could have run and had no processor (other programs).
/// </summary>
public sealed class NoisyMachineRule : IFindingRule
{
    private const string Code = "noisy-machine";

    /// <summary>Fewest slow runs of a row, and their smallest share: one in ten happens on any machine.</summary>
    private const int FewestSlowRuns = 2;
    private const double LargestSlowPercent = 10;

    /// <summary>Largest share of a row's time in which its thread may be ready without a processor.</summary>
    private const double LargestReadyPercent = 5;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        return [.. Slow(input), .. Ready(input)];
    }

    private static IEnumerable<Finding> Slow(FindingInput input)
    {
        var runs = input.Result.Rows.SelectMany(Completed).Where(run => run.SlowPercent is not null).ToList();
        var slow = runs.Count(IsSlow);
        var isSteady = input.Recordings.Any(recording => recording.Description.Command.Contains("-steady", StringComparer.OrdinalIgnoreCase));
        return RowFinding.Hint(
            Code,
            FormattableString.Invariant($"the machine ran below its full speed around {slow} of {runs.Count} measured runs, by its speed probe; rows with the largest shares"),
            input.Result.Rows.Where(row => Completed(row).Count(IsSlow) >= FewestSlowRuns && SlowShare(row) > LargestSlowPercent),
            SlowShare,
            row => $"{SlowShare(row):0} %",
            isSteady ? "make more runs, or record on another machine" : "record with -steady, or on another machine",
            worst: run => run.SlowPercent)
            .Select(finding => finding with { Evidence = [new FindingFigure("measured runs on a slow machine", 100.0 * slow / runs.Count, "%"), .. finding.Evidence] });
    }

    /// <summary>Rows of several threads compete with themselves: they are left out.</summary>
    private static IEnumerable<Finding> Ready(FindingInput input) => RowFinding.Hint(
        Code,
        "the measuring thread waited for a processor in over 5 % of the time",
        input.Result.Rows.Where(row => row.Key.ThreadCount == 1 && ReadyShare(row) > LargestReadyPercent),
        ReadyShare,
        row => $"{ReadyShare(row):0} %",
        "end what else runs, or compare CPU time (CPU ms) instead of wall time",
        worst: run => run.Measuring?.ReadyMs);

    private static IEnumerable<Run> Completed(SummaryRow row) => row.CountedRuns;

    private static bool IsSlow(Run run) => run.SlowPercent > (SpeedProbe.SlowFactor - 1) * 100;

    private static double? SlowShare(SummaryRow row) => row.Runs > 0 ? 100.0 * Completed(row).Count(IsSlow) / row.Runs : null;

    private static double? ReadyShare(SummaryRow row) => row.WallTotalMs > 0 ? 100 * SchedulingMeasures.Ready.ValueOf(row) / row.WallTotalMs : null;
}
