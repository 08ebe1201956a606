using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Timelines;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>A timeline as data for the page's script; times in ms.</summary>
/// <param name="Recording">Label of the recording among several, empty when there is one.</param>
/// <param name="Start">Begin of the first bucket.</param>
/// <param name="Stop">End of the last run.</param>
/// <param name="Bucket">Length of a bucket.</param>
/// <param name="Serializers">Names, which runs number.</param>
/// <param name="Tests">Names, which runs number.</param>
/// <param name="Columns">Headers of the texts of a run.</param>
/// <param name="Runs">Numbers of serializer and test, 1 for a measured run, begin, length, and the texts of <c>esp-analyze runs</c>.</param>
/// <param name="Pauses">Begin, length and generation (-1 for none) of each; null when GCs were not recorded.</param>
/// <param name="Cpu">A byte a bucket: 200 is one thread all the time; more than that is 255 at most.</param>
/// <param name="Preempted">Likewise.</param>
/// <param name="Jit">Likewise.</param>
internal sealed record TimelineData(
    string Recording, double Start, double Stop, double Bucket, IReadOnlyList<string> Serializers, IReadOnlyList<string> Tests, IEnumerable<string> Columns, IEnumerable<object[]> Runs,
    IEnumerable<double>? Pauses, byte[]? Cpu, byte[]? Preempted, byte[]? Jit)
{
    /// <summary>What a selected run shows: what names it, and the measures that are declared to be shown.</summary>
    private static readonly HashSet<string> s_shown =
    [
        "runId", "serializer", "runtime", "test", "kind", "objects", "runNumber", "startMs", "error", .. RunMeasures.All.Where(measure => measure.Shown.HasFlag(ReportTables.Timeline)).Select(measure => measure.Key),
    ];

    /// <summary>The data of a timeline.</summary>
    /// <param name="timeline">The timeline.</param>
    /// <param name="isOfPrograms">Whether its runs are programs that mark none.</param>
    public static TimelineData Of(Timeline timeline, bool isOfPrograms)
    {
        var runs = timeline.Runs.Select(run => run.Run).ToList();
        var columns = RunColumns.All.Where(column => s_shown.Contains(column.Key) && (column.ShownWith is null || runs.Any(column.ShownWith))).ToList();
        var serializers = runs.Select(run => run.Identity.Serializer).Distinct().Order(StringComparer.Ordinal).ToList();
        var tests = runs.Select(run => run.Identity.Operation).Distinct().ToList();
        return new TimelineData(
            timeline.Recording, Math.Round(timeline.StartMs, 6), Math.Round(timeline.StopMs, 6), Math.Round(timeline.BucketMs, 6), serializers, tests, columns.Select(column => isOfPrograms && column.Key == SummaryColumns.Subject ? SummaryColumns.ProgramHeader : column.Header!),
            timeline.Runs.Select(Row),
            timeline.Pauses?.SelectMany(pause => (double[])[Math.Round(pause.StartMs, 3), Math.Round(pause.Ms, 3), pause.Generation ?? -1]),
            Buckets(timeline.OnCpu), Buckets(timeline.Preempted), Buckets(timeline.Jit));

        object[] Row(TimelineRun item) =>
        [
            serializers.IndexOf(item.Run.Identity.Serializer), tests.IndexOf(item.Run.Identity.Operation), item.Run.Identity.Kind == RunKind.Measured ? 1 : 0,
            Math.Round(item.StartMs, 3), Math.Round(item.Run.WallMs, 3), .. columns.Select(column => column.Text(item.Run)),
        ];

        byte[]? Buckets(IReadOnlyList<double>? shares)
        {
            if (shares is null)
                return null;
            var used = Math.Clamp((int)Math.Ceiling((timeline.StopMs - timeline.StartMs) / timeline.BucketMs), 1, shares.Count);
            return [.. shares.Take(used).Select(share => (byte)Math.Clamp(Math.Round(200 * share), 0, 255))];
        }
    }
}
