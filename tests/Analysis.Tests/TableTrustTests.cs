using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Tests.Findings;

namespace EtwSerializerProfiler.Analysis.Tests;

public sealed class TableTrustTests
{
    [Theory]
    [InlineData(0, TableVerdict.Good)]
    [InlineData(1, TableVerdict.Good)] // a row in ten
    [InlineData(2, TableVerdict.Noisy)]
    [InlineData(5, TableVerdict.Noisy)]
    [InlineData(6, TableVerdict.NotToBeCompared)]
    public void The_verdict_goes_by_the_share_of_disturbed_rows(int disturbed, TableVerdict verdict)
    {
        var trust = TableTrust.Of(
            s_nothing,
            Rows([.. Enumerable.Range(0, 10).SelectMany(row => row < disturbed ? Spread(row) : Steady(row))])
        );

        Assert.Equal((10, disturbed, disturbed, verdict), (trust.Rows, trust.Spread, trust.Disturbed, trust.Verdict));
    }

    /// <summary>A row with two signs is one disturbed row.</summary>
    [Fact]
    public void Signs_are_counted_each_and_rows_once()
    {
        var trust = TableTrust.Of(
            s_nothing,
            Rows([
                .. Spread(0)
                    .Select(run =>
                        run with
                        {
                            Measuring = new MeasuringTimes(run.WallMs / 2, 0, run.WallMs / 2, ReadySource.ReadyEvent, 0, 0),
                        }
                    ),
                .. Steady(1),
            ])
        );

        Assert.Equal((1, 1, 1), (trust.LackedProcessor, trust.Spread, trust.Disturbed));
        Assert.Equal("of 2 rows 1 lacked a processor, 1 varied by over 10 %", trust.Reasons);
    }

    [Theory]
    [InlineData(new[] { 10, 10.2, 10.1 }, new[] { 12, 12.2 }, true)]
    [InlineData(new[] { 10, 10.2, 12.1 }, new[] { 12, 12.2 }, false)] // a run of the fast process is as slow
    [InlineData(new[] { 10, 10.2, 10.1 }, new[] { 10.6, 10.7 }, false)] // 5 %
    [InlineData(new[] { 10, 10.2, 10.1 }, new[] { 15.0 }, false)] // one run does not show the state of a process
    public void Launches_differ_where_all_runs_of_a_process_are_slower_than_all_of_another(double[] one, double[] other, bool differ)
    {
        var second = RuleInput.Run(1, 1).Process with { ProcessId = 77 };
        var rows = Rows([
            .. Of(0, one),
            .. Of(1, other).Select(run => run with { Process = second, Identity = run.Identity with { Serializer = "S0" } }),
        ]);

        var trust = TableTrust.Of(s_nothing, rows);

        Assert.Equal(differ ? (10.1, 12.1) : null, RowTrust.LaunchRange(rows[0]));
        Assert.Equal(differ ? 1 : 0, trust.LaunchesDiffer);
        Assert.Equal(differ, trust.Reasons.EndsWith("1 differ by launch", StringComparison.Ordinal));
        Assert.Equal(
            differ ? "processes of one serializer differ more than their runs: S0 Serialize N=1000 (10.10 to 12.10 ms)" : null,
            FindingRules
                .Check(new FindingInput(s_nothing with { Rows = rows }))
                .FirstOrDefault(finding => finding.Code == "launches")
                ?.Sentence
        );
    }

    [Fact]
    public void A_row_whose_code_was_still_compiled_is_disturbed_and_named()
    {
        var rows = Rows([
            .. Steady(0).Select((run, number) => Settled(run, number == 2 ? 17 : 0)),
            .. Steady(1).Select(run => Settled(run, 0)),
        ]);

        var trust = TableTrust.Of(s_nothing with { Findings = FindingRules.Check(new FindingInput(s_nothing with { Rows = rows })) }, rows);

        Assert.Equal((1, 1), (trust.Unsettled, trust.Disturbed));
        Assert.Equal("of 2 rows 1 unsettled", trust.Reasons);
        Assert.Equal("noisy, small differences may be chance; record again while no other program uses the processors", trust.Text);

        static Run Settled(Run run, long methods) => run with { Values = run.Values.With(JitMeasures.Unsettled, methods) };
    }

    [Fact]
    public void Without_runs_there_is_no_verdict() => Assert.Equal("no runs", TableTrust.Of(s_nothing, []).Text);

    [Fact]
    public void A_row_of_several_threads_is_ranked_by_wall_time()
    {
        var run = RuleInput.Run(1, 100) with { Measuring = new MeasuringTimes(10, 0, 90, ReadySource.ReadyEvent, 0, 0) };

        Assert.Equal(10, RowTrust.RankMs(Rows(run)[0]));
        Assert.Equal(100, RowTrust.RankMs(Rows(run with { Identity = run.Identity with { ThreadCount = 4 } })[0]));
    }

    [Fact]
    public void What_is_missing_is_not_good()
    {
        var trust = TableTrust.Of(s_nothing with { Recordings = [new RecordingFacts("", 7, 0, null)] }, Rows(Steady(1)));

        Assert.Equal(("undisturbed, but incomplete", "events lost: 7"), (trust.Text, trust.Reasons));
    }

    private static readonly AnalysisResult s_nothing = AnalysisResult.OfFindings([]);

    private static IReadOnlyList<SummaryRow> Rows(params Run[] runs) => SummaryRow.Group(runs);

    private static Run[] Spread(int row) => Of(row, 10, 12, 14);

    private static Run[] Steady(int row) => Of(row, 10, 10, 10.1);

    private static Run[] Of(int row, params double[] walls) =>
        [.. walls.Select((wall, number) => RuleInput.Run((row * 10) + number + 1, wall, $"S{row}"))];
}
