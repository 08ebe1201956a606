using System.Globalization;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>The lines above a comparison: the sides, what differs between them besides the code, and the noise.</summary>
internal static class DiffHeader
{
    /// <summary>All lines.</summary>
    public static IEnumerable<string> Of(ComparisonResult compared)
    {
        yield return Side("Base", compared.Baseline);
        yield return Side("Other", compared.Other);
        foreach (var difference in Differences(compared))
            yield return difference;
        foreach (var line in Footprint(compared))
            yield return line;
        if (compared.OtherFactor != 1)
            yield return Line(
                $"Normalized: times of the other side are multiplied by {compared.OtherFactor:0.000}, the ratio of the machines' speeds"
            );
        yield return Disturbed(compared);
        yield return Noise(compared);
    }

    /// <summary>A line for each difference of the environment.</summary>
    public static IEnumerable<string> Differences(ComparisonResult compared) =>
        compared.Differences.Select(difference => "Differs: " + difference);

    /// <summary>One line on program size and working set of both sides; none when neither recorded them.</summary>
    public static IEnumerable<string> Footprint(ComparisonResult compared)
    {
        var (baseline, other, rows) = SideFootprint.Of(compared.Pairs);
        List<string> parts = [];
        if (baseline.ProgramBytes is not null || other.ProgramBytes is not null)
            parts.Add($"size {Megabytes(baseline.ProgramBytes)} against {Megabytes(other.ProgramBytes)}");
        if (rows > 0)
        {
            var (from, to) = (Megabytes(baseline.PeakWorkingSetBytes), Megabytes(other.PeakWorkingSetBytes));
            parts.Add($"peak working set {from} against {to} (medians of {Plural.Of(rows, "row")})");
        }

        if (parts.Count > 0)
            yield return $"Program: {string.Join("; ", parts)}";
    }

    private static string Megabytes(double? bytes) => bytes is { } known ? Line($"{known / 1e6:0.0} MB") : Column<ComparedPair>.NotRecorded;

    private static string Noise(ComparisonResult compared)
    {
        int baseline = compared.Pairs.Max(pair => pair.Baseline.Clusters.Count),
            other = compared.Pairs.Max(pair => pair.Other.Clusters.Count);
        var isOfRecordings = compared.Baseline.Recordings.Count > 1 || compared.Other.Recordings.Count > 1;
        return baseline > 1 || other > 1
            ? Line(
                $"Noise: of runs and of {(isOfRecordings ? "recordings" : "processes")}, measured over {baseline} of base and {other} of other"
            )
            : Line(
                $"Noise: of runs; with one process per side, the difference between processes of one build cannot be measured and is assumed to be {compared.Options.AssumedBetween * 100:0.#} % (record with -launches, or name several recordings or a folder of them as base)"
            );
    }

    private static string Side(string name, ComparedSide side)
    {
        var runs = side.Recordings.Sum(recording => recording.Result.RunsFound);
        var started = side
            .Recordings.SelectMany(recording => recording.Input.Recordings)
            .Select(recording => recording.Description.StartedUtc)
            .Order()
            .Select(time => time.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) + " UTC")
            .ToList();
        var when = started.Count switch
        {
            0 => "",
            1 => ", " + started[0],
            _ => $", {started[0]} to {started[^1]}",
        };
        return Line(
            $"{name}: {side.Name}{(side.Recordings.Count > 1 ? $" ({Plural.Of(side.Recordings.Count, "recording")})" : "")}{when}; {string.Join(", ", Runtimes(side))}; runs found {runs}, missing {side.MissingRuns}, events lost {side.LostEvents}"
        );
    }

    /// <summary>Versions of a side's runtimes.</summary>
    public static IEnumerable<string> Runtimes(ComparedSide side) =>
        side
            .Recordings.SelectMany(recording => recording.Input.Processes)
            .Select(process => process.RuntimeVersion)
            .Where(version => version.Length > 0)
            .Distinct()
            .DefaultIfEmpty("runtime unknown");

    private static string Disturbed(ComparisonResult compared)
    {
        if (compared.Options.KeepDisturbedRuns)
            return "Disturbed runs: included (--all-runs)";
        var alone = compared.Pairs.Count(pair => pair.AreDisturbed) is var rows and > 0
            ? Line($"; {Plural.Of(rows, "row")} with only disturbed runs compared by these")
            : "";
        var (baseline, other) = compared.DisturbedRuns;
        var isProbed = Disturbance.FastestOf(compared.Baseline) is not null && Disturbance.FastestOf(compared.Other) is not null;
        var isSwitched = compared.Recordings.All(recording => recording.Result.Runs.Any(run => run.Measuring is not null));
        var signs = new List<string>();
        if (isProbed)
            signs.Add(Line($"a speed probe beside the run took over {SpeedProbe.SlowFactor:0.00} times the shortest"));
        if (isSwitched)
            signs.Add(Line($"other processes held its processor for over {Disturbance.ReadyShare * 100:0} % of its time"));
        var unknown = isProbed ? "" : "; the machine's speed beside the runs was not recorded (the suite of esp-record probes it)";
        return signs.Count == 0
            ? "Disturbed runs: unknown; neither the machine's speed (the suite of esp-record probes it) nor context switches were recorded on both sides"
            : Line($"Disturbed runs, excluded: {baseline} of base, {other} of other ({string.Join(", or ", signs)}){alone}{unknown}");
    }

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
