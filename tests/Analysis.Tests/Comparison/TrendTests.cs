using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Comparison.Trends;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Tests.Comparison;

public sealed class TrendTests
{
    private static readonly AnalysisResult s_none = AnalysisResult.OfFindings([]);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void A_step_is_marked_where_it_is(int seed)
    {
        var points = TrendAnalysis.Mark(Points(seed, index => index < 6 ? 100 : 110), Metric.Wall);

        var (change, place) = Assert.Single(points.Select((point, index) => (point, index)), item => item.point.Change is not null);
        Assert.Equal(6, place);
        Assert.Equal(0.1, change.Change!.Value.Relative, 1);
    }

    [Fact]
    public void Two_steps_are_two_changes()
    {
        var points = TrendAnalysis.Mark(Points(4, index => index is >= 4 and < 8 ? 120 : 100), Metric.Wall);

        Assert.Equal(
            [4, 8],
            points.Select((point, index) => (point, index)).Where(item => item.point.Change is not null).Select(item => item.index)
        );
    }

    [Fact]
    public void Recordings_that_differ_by_their_own_noise_have_no_change()
    {
        var marked = Enumerable
            .Range(10, 40)
            .Count(seed => TrendAnalysis.Mark(Points(seed, _ => 100), Metric.Wall).Any(point => point.Change is not null));

        Assert.InRange(marked, 0, 6);
    }

    [Fact]
    public void A_measure_that_is_0_has_no_marks() =>
        Assert.All(TrendAnalysis.Mark(Points(5, index => index < 6 ? 0 : 100), Metric.Wall), point => Assert.Null(point.Change));

    private static List<TrendPoint> Points(int seed, Func<int, double> middle)
    {
        var random = new Simulation(seed);
        return
        [
            .. Enumerable
                .Range(0, 12)
                .Select(index =>
                    random.Side(1, 10, middle: middle(index), noise: 0.02, between: 0.01).All.Select(run => run.WallMs).ToList()
                )
                .Select(
                    (values, index) =>
                        new TrendPoint(
                            new ComparedRecording($"r{index}", new TraceInput([], [], [], false, [], []), s_none),
                            null,
                            values.Count,
                            0,
                            values,
                            Statistics.Median(values),
                            null
                        )
                ),
        ];
    }
}
