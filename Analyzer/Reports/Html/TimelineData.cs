using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Timelines;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>A timeline as data for the page's script; times in ms.</summary>
/// <param name="Recording">Label of the recording if there are several, else empty.</param>
/// <param name="Start">Start of the first bucket.</param>
/// <param name="Stop">End of the last run.</param>
/// <param name="Bucket">Length of a bucket.</param>
/// <param name="Serializers">Distinct serializer names, to which runs refer by index.</param>
/// <param name="Tests">Distinct test names, to which runs refer by index.</param>
/// <param name="Columns">Headers of the run texts.</param>
/// <param name="Runs">
/// For each run: index of serializer, index of test, 1 for a measured run, start, length, and the texts of <c>esp-analyze runs</c>.
/// </param>
/// <param name="Pauses">Start, length and generation (-1 for none) of each pause; null when GCs were not recorded.</param>
/// <param name="Cpu">CPU time, one byte per bucket: 200 is one fully busy thread; the maximum is 255.</param>
/// <param name="Preempted">Preemption, in the same form.</param>
/// <param name="Jit">JIT time, in the same form.</param>
internal sealed record TimelineData(
    string Recording,
    double Start,
    double Stop,
    double Bucket,
    IReadOnlyList<string> Serializers,
    IReadOnlyList<string> Tests,
    IEnumerable<string> Columns,
    IEnumerable<object[]> Runs,
    IEnumerable<double>? Pauses,
    byte[]? Cpu,
    byte[]? Preempted,
    byte[]? Jit
)
{
    /// <summary>Columns of a selected run: its names, and the measures declared for the timeline.</summary>
    private static readonly HashSet<string> s_shown =
    [
        "runId",
        "serializer",
        "runtime",
        "test",
        "kind",
        "objects",
        "runNumber",
        "startMs",
        "error",
        .. RunMeasures.All.Where(measure => measure.Shown.HasFlag(ReportTables.Timeline)).Select(measure => measure.Key),
    ];

    /// <summary>Creates the data of a timeline.</summary>
    /// <param name="timeline">The timeline.</param>
    /// <param name="isOfPrograms">Whether its runs are programs without marks.</param>
    public static TimelineData Of(Timeline timeline, bool isOfPrograms)
    {
        var runs = timeline.Runs.Select(run => run.Run).ToList();
        var columns = RunColumns
            .All.Where(column => s_shown.Contains(column.Key) && (column.ShownWith is null || runs.Any(column.ShownWith)))
            .ToList();
        var serializers = runs.Select(run => run.Identity.Serializer).Distinct().Order(StringComparer.Ordinal).ToList();
        var tests = runs.Select(run => run.Identity.Operation).Distinct().ToList();
        return new TimelineData(
            timeline.Recording,
            Math.Round(timeline.StartMs, 6),
            Math.Round(timeline.StopMs, 6),
            Math.Round(timeline.BucketMs, 6),
            serializers,
            tests,
            columns.Select(column => isOfPrograms && column.Key == SummaryColumns.Subject ? SummaryColumns.ProgramHeader : column.Header!),
            timeline.Runs.Select(Row),
            timeline.Pauses?.SelectMany(pause => (double[])[Math.Round(pause.StartMs, 3), Math.Round(pause.Ms, 3), pause.Generation ?? -1]),
            Buckets(timeline.OnCpu),
            Buckets(timeline.Preempted),
            Buckets(timeline.Jit)
        );

        object[] Row(TimelineRun item) =>
            [
                serializers.IndexOf(item.Run.Identity.Serializer),
                tests.IndexOf(item.Run.Identity.Operation),
                item.Run.Identity.Kind == RunKind.Measured ? 1 : 0,
                Math.Round(item.StartMs, 3),
                Math.Round(item.Run.WallMs, 3),
                .. columns.Select(column => column.Text(item.Run)),
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
