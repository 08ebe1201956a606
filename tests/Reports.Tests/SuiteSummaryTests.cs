using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Foundation.Terminals;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Tests;

public sealed class SuiteSummaryTests
{
    private const int PageLines = 45;
    private const int PageColumns = 100;

    [Theory]
    [InlineData(null)]
    [InlineData(80)]
    [InlineData(120)]
    public void The_first_screen_of_the_recording(int? width) =>
        Snapshot.Matches("Reports.Tests", $"summary{width}", Printed(new TraceRuns([TestFiles.Recording]), width));

    [Fact]
    public void Colours_add_nothing_but_colours()
    {
        using var text = new StringWriter();
        using (var terminal = new TerminalWriter(text, new TextLook(PageColumns, Colour: true)))
            ReportPrinter.PrintFirstScreen(new TraceRuns([TestFiles.Recording]), ReportFormat.Table, terminal);

        Assert.Contains("\u001b[", text.ToString(), StringComparison.Ordinal);
        Assert.Equal(
            Printed(new TraceRuns([TestFiles.Recording]), PageColumns),
            System.Text.RegularExpressions.Regex.Replace(text.ToString(), "\u001b\\[[0-9;]*m", "")
        );
    }

    /// <summary>
    /// As many serializers as the default suite with all packages, two tests, many findings: all on one screen, with a line left for the
    /// report's path.
    /// </summary>
    [Fact]
    public void The_default_suite_fits_a_page()
    {
        var runs = Enumerable
            .Range(0, 17)
            .SelectMany(serializer =>
                new[] { RunOperation.Serialize, RunOperation.Deserialize }.SelectMany(test =>
                    Runs($"ASerializerOfLetters{serializer:000}", test, 10 + serializer, 13, 16)
                )
            )
            .ToArray();
        var findings = Enumerable
            .Range(0, 9)
            .Select(number => new Finding(FindingKind.Warning, "w" + number, string.Join(' ', Enumerable.Repeat("word", 40))))
            .Append(new Finding(FindingKind.Hint, "spread", "noise") { Advice = string.Join(' ', Enumerable.Repeat("advice", 12)) });

        // All signs of a disturbed machine, which take two lines.
        var disturbed = runs.Select(run =>
                run with
                {
                    Measuring = new MeasuringTimes(1, 0, run.WallMs - 1, ReadySource.ReadyEvent, 1, 1),
                    Values = run.Values.With(JitMeasures.Unsettled, 17),
                }
            )
            .ToArray();

        foreach (var recorded in (Run[][])[runs, disturbed])
            Assert.InRange(Printed(recorded, [.. findings]).TrimEnd().Split(Environment.NewLine).Length, 40, PageLines - 1);
        var lines = Printed(runs, [.. findings]).TrimEnd().Split(Environment.NewLine);
        Assert.All(lines, line => Assert.True(line.Length <= PageColumns, line));
        Assert.Contains(lines, line => line.EndsWith(" more)", StringComparison.Ordinal));
    }

    /// <summary>Slow by wall time because it had no processor for most of it; by CPU time it is the fastest.</summary>
    [Fact]
    public void A_row_that_lacked_a_processor_is_ranked_by_its_CPU_time_and_says_so()
    {
        var starved = Runs("Starved", RunOperation.Serialize, 90, 90, 90)
            .Select(run => run with { Measuring = new MeasuringTimes(9, 0, 81, ReadySource.ReadyEvent, 1, 1) });

        var lines = Printed([.. Runs("Calm", RunOperation.Serialize, 18, 18, 18), .. starved], []).Split(Environment.NewLine);

        Assert.Matches(@"^Starved +90\.0\* +1\.0 +\*CPU 9\.00", lines[2]);
        Assert.Matches(@"^Calm +18\.0 +2\.0 ", lines[3]);
        Assert.Contains("Trust: noisy", string.Join('\n', lines), StringComparison.Ordinal);
        Assert.Contains("of 2 rows 1 lacked a processor (*)", string.Join('\n', lines), StringComparison.Ordinal);
    }

    [Fact]
    public void A_median_far_from_the_minimum_is_said_in_its_row()
    {
        var lines = Printed(
                [.. Runs("Two", RunOperation.Serialize, 7.6, 12.7, 12.7), .. Runs("One", RunOperation.Serialize, 15, 15, 15)],
                []
            )
            .Split(Environment.NewLine);

        Assert.Matches(@"^Two +12\.7 +1\.0 +min 7\.60", lines[2]);
        Assert.DoesNotContain("min", lines[3], StringComparison.Ordinal);
    }

    [Fact]
    public void A_row_that_was_not_settled_says_so()
    {
        var unsettled = Runs("Early", RunOperation.Serialize, 10, 10, 10)
            .Select(run => run with { Values = run.Values.With(JitMeasures.Unsettled, 17) });

        var lines = Printed([.. unsettled, .. Runs("Calm", RunOperation.Serialize, 18, 18, 18)], []).Split(Environment.NewLine);

        Assert.Matches(@"^Early +10\.0 +1\.0 +unsettled", lines[2]);
        Assert.DoesNotContain("unsettled", lines[3], StringComparison.Ordinal);
        Assert.Contains("of 2 rows 1 unsettled", string.Join('\n', lines), StringComparison.Ordinal);
    }

    [Fact]
    public void Undisturbed_rows_are_good()
    {
        var text = Printed([.. Runs("A", RunOperation.Serialize, 10, 10, 10)], []);

        Assert.Contains($"Trust: good{Environment.NewLine}", text, StringComparison.Ordinal);
        Assert.DoesNotContain("of 1 rows", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Only_the_largest_object_count_of_a_test_is_shown()
    {
        var few = Runs("A", RunOperation.Serialize, 1, 1, 1)
            .Select(run => run with { Identity = Identity("A", RunOperation.Serialize, 10, run.RunId) });

        var text = Printed([.. few, .. Runs("A", RunOperation.Serialize, 10, 10, 10)], []);

        Assert.Contains("Serialize, N=1000 ", text, StringComparison.Ordinal);
        Assert.DoesNotContain("N=10 ", text, StringComparison.Ordinal);
        Assert.DoesNotContain("Omitted", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Serializers_that_have_other_object_counts_are_counted()
    {
        var other = Runs("Other", RunOperation.Serialize, 1, 1, 1)
            .Select(run => run with { Identity = Identity("Other", RunOperation.Serialize, 10, run.RunId) });

        Assert.Contains(
            "Omitted: 1 serializer (in other tests",
            Printed([.. other, .. Runs("A", RunOperation.Serialize, 10, 10, 10)], []),
            StringComparison.Ordinal
        );
    }

    /// <summary>A serializer that fails in every run is the first thing to know about it.</summary>
    [Fact]
    public void A_row_whose_runs_all_failed_stands_at_the_end()
    {
        var broken = Runs("Broken", RunOperation.Serialize, 1, 1).Select(run => run with { Error = "System.NotSupportedException: no" });
        var partly = Runs("Partly", RunOperation.Serialize, 20, 20, 20)
            .Select((run, number) => number == 0 ? run with { Error = "no" } : run);

        var lines = Printed([.. broken, .. partly, .. Runs("A", RunOperation.Serialize, 10, 10, 10)], []).Split(Environment.NewLine);

        Assert.Matches(@"^Partly +20\.0 +2\.0 +1 failed", lines[3]);
        Assert.Matches(@"^Broken +failed +-$", lines[4]);
    }

    [Fact]
    public void The_verdict_gives_the_advice_of_the_findings()
    {
        var finding = new Finding(FindingKind.Hint, "noisy-machine", "text") { Advice = "make more runs, or record on another machine" };

        Assert.Contains(
            "Trust: only large differences are meaningful; make more runs, or record on another machine",
            Printed([.. Runs("A", RunOperation.Serialize, 10, 15, 20)], [finding]),
            StringComparison.Ordinal
        );
    }

    private static int s_number;

    private static IEnumerable<Run> Runs(string serializer, string test, params double[] walls) =>
        walls.Select(wall => new Run
        {
            Process = new ProcessKey("", 100),
            RunId = ++s_number,
            Identity = Identity(serializer, test, 1000, s_number),
            Delimiter = RunDelimiter.MarkerReady,
            StartTicks = 0,
            StopTicks = (long)(wall * 1e6),
            StartMs = 0,
            StopMs = wall,
            WallMs = wall,
        });

    private static RunIdentity Identity(string serializer, string test, int objects, int number) =>
        new(serializer, "Library", "1.0", test, RunKind.Measured, objects, 0, number, 1);

    /// <summary>A narrow terminal drops the bars, so nothing needs to explain their letters.</summary>
    [Theory]
    [InlineData(100, true)]
    [InlineData(60, false)]
    public void The_letters_of_bars_are_explained_where_bars_are_shown(int width, bool areShown)
    {
        var causes = new CauseTimes { TicksPerSecond = 1000 };
        for (var sample = 0; sample < 100; sample++)
            causes.Add(cause: -1, 1);
        var runs = Runs("ASerializerWithItsLetters", RunOperation.Serialize, 100, 130, 130)
            .Select(run => run with { Causes = causes, Measuring = new MeasuringTimes(100, 0, 0, ReadySource.ReadyEvent, 0, 0) });

        var text = Printed([.. runs], [], width);

        Assert.Equal(areShown, text.Contains("oooo", StringComparison.Ordinal));
        Assert.Equal(areShown, text.Contains("o own", StringComparison.Ordinal));
    }

    private static string Printed(Run[] runs, IReadOnlyList<Finding> findings, int width = PageColumns)
    {
        var result = new AnalysisResult
        {
            Processes = [],
            Runs = runs,
            Rows = SummaryRow.Group(runs),
            FirstUseRows = [],
            Damages = [],
            Findings = findings,
        };
        var read = new RunReading(TraceInputReader.Open([TestFiles.Recording]), result);
        using var text = new StringWriter();
        using (var terminal = new TerminalWriter(text, new TextLook(width)))
            ReportPrinter.Write(ReportBuilder.FirstScreen(read, ReportFormat.Table), ReportFormat.Table, terminal);
        return text.ToString();
    }

    private static string Printed(TraceRuns source, int? width)
    {
        using var text = new StringWriter();
        using (var terminal = new TerminalWriter(text, new TextLook(width)))
            ReportPrinter.PrintFirstScreen(source, ReportFormat.Table, terminal);
        return text.ToString();
    }
}
