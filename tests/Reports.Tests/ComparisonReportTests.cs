using System.Globalization;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>diff, gate and trend on run CSVs with known numbers: a run takes its row's time plus or minus a little.</summary>
public sealed class ComparisonReportTests : IDisposable
{
    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("table")]
    [InlineData("markdown")]
    [InlineData("csv")]
    [InlineData("json")]
    public void Diff(string format)
    {
        Write("base.csv", launches: 15, ("A", 100, 1_000_000), ("B", 50, 2_000_000), ("OnlyBase", 10, 1));
        Write("other.csv", launches: 15, ("A", 108, 1_000_000), ("B", 50, 2_100_000), ("OnlyOther", 10, 1));

        CheckSnapshot($"diff-{format}", "diff", "base.csv", "other.csv", "--format", format);
    }

    [Fact]
    public void Diff_has_one_line_on_program_size_and_working_set()
    {
        Write("base.csv", launches: 15, peak: 92_000_000, program: 63_140_000, ("A", 100, 1_000_000), ("OnlyBase", 10, 1));
        Write("other.csv", launches: 15, peak: 51_500_000, program: 24_400_000, ("A", 108, 1_000_000));
        Write("unknown.csv", launches: 15, ("A", 108, 1_000_000));

        string Line(string other) =>
            AnalyzeTool
                .Run("diff", In("base.csv"), In(other))
                .Output.Split('\n')
                .Single(line => line.StartsWith("Program: ", StringComparison.Ordinal))
                .TrimEnd();
        Assert.Equal(
            "Program: size 63.1 MB against 24.4 MB; peak working set 92.0 MB against 51.5 MB (medians of 1 row)",
            Line("other.csv")
        );
        Assert.Equal("Program: size 63.1 MB against not recorded", Line("unknown.csv"));
        Assert.DoesNotContain("Program: ", AnalyzeTool.Run("diff", In("unknown.csv"), In("unknown.csv")).Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Table_shows_the_working_set_where_it_was_recorded_and_any_measure_that_is_asked_for()
    {
        Write("known.csv", launches: 2, peak: 92_000_000, program: 63_140_000, ("A", 100, 1_000_000));
        Write("unknown.csv", launches: 2, ("A", 100, 1_000_000));

        string Table(params string[] arguments) => AnalyzeTool.Run(["table", .. arguments]).Output;
        Assert.Matches(@"Peak MB\s*\n[\s\S]* 92\.0\s*\n", Table(In("known.csv"), "--detail"));
        Assert.DoesNotContain("Peak MB", Table(In("unknown.csv"), "--detail"), StringComparison.Ordinal);
        string[] columns = ["--columns", "peakWorkingSetBytes,programBytes"];
        Assert.Matches(@"Peak MB[ │]+programBytes\s*\n[\s\S]* 92\.0[ │]+63140000\s*\n", Table([In("known.csv"), .. columns]));
        Assert.Matches(@"not recorded[ │]+not recorded\s*\n", Table([In("unknown.csv"), .. columns]));
    }

    [Fact]
    public void Diff_of_a_recording_with_itself_by_everything_it_recorded() =>
        Matches(
            "diff-itself",
            AnalyzeTool
                .Run("diff", TestFiles.Recording, TestFiles.Recording, "--by", "all", "--factor-out", "reflection,Activator", "--top", "3")
                .Output
        );

    /// <summary>One sample per run cannot explain runs that became 50 % longer: the sentence says what would.</summary>
    [Fact]
    public void A_large_rest_comes_with_what_makes_it_smaller()
    {
        WriteTrace("base.etl", microseconds: 10_000);
        WriteTrace("other.etl", microseconds: 15_000);

        var (code, output, error) = AnalyzeTool.Run("diff", In("base.etl"), In("other.etl"));

        Assert.True(code == 0, error);
        Assert.Contains("1 slower", output, StringComparison.Ordinal);
        Assert.Contains(
            "no cause exceeds the sampling error; more samples can explain the rest (--sample-rate 4000, more runs)",
            output,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Gate_fails_on_a_slowdown_and_writes_what_build_servers_read()
    {
        Write("base.csv", launches: 15, ("A", 100, 1_000_000), ("B", 50, 2_000_000));
        Write("other.csv", launches: 15, ("A", 120, 1_000_000), ("B", 50, 2_100_000));
        string junit = Path.Combine(_folder.Path, "gate.xml"),
            markdown = Path.Combine(_folder.Path, "gate.md");

        var (code, output, error) = AnalyzeTool.Run(
            "gate",
            In("base.csv"),
            In("other.csv"),
            "--max-slowdown",
            "10%",
            "--junit",
            junit,
            "--markdown",
            markdown
        );

        Assert.Equal((1, ""), (code, error));
        Matches("gate-violated", output);
        Matches("gate-junit", File.ReadAllText(junit));
        Assert.Contains("| A |", File.ReadAllText(markdown), StringComparison.Ordinal);
        var cases = XDocument.Load(junit).Descendants("testcase").ToList();
        Assert.Equal(4, cases.Count);
        Assert.Equal(2, cases.Count(item => item.Element("failure") is not null));
    }

    [Fact]
    public void Gate_passes_on_equal_recordings()
    {
        Write("base.csv", launches: 15, ("A", 100, 1_000_000));
        Write("other.csv", launches: 15, ("A", 100, 1_000_000));

        var (code, output, _) = AnalyzeTool.Run("gate", In("base.csv"), In("other.csv"));

        Assert.Equal(0, code);
        Assert.Contains("Gate passed: 2 checks within the limits", output, StringComparison.Ordinal);
    }

    [Fact]
    public void Gate_that_cannot_judge_says_how_many_runs_it_takes()
    {
        Write("base.csv", launches: 3, ("A", 100, 1_000_000));
        Write("other.csv", launches: 3, ("A", 101, 1_000_000));

        var (code, output, _) = AnalyzeTool.Run("gate", In("base.csv"), In("other.csv"), "--max-slowdown", "1", "--metric", "wall,cpu");

        Assert.Equal(5, code);
        Matches("gate-not-judged", output);
    }

    [Theory]
    [InlineData("table")]
    [InlineData("json")]
    public void Trend(string format)
    {
        for (var i = 1; i <= 9; i++)
            Write($"r{i}.csv", launches: 1, ("A", (i < 6 ? 100 : 110) + (i % 3), 1_000_000));

        var (code, output, _) = AnalyzeTool.Run(["trend", .. Enumerable.Range(1, 9).Select(i => In($"r{i}.csv")), "--format", format]);

        // The column of recordings is as wide as the path of the temporary folder.
        Assert.Equal(0, code);
        Matches($"trend-{format}", format == "table" ? Regex.Replace(output, " {2,}|─+", run => run.Value[..1]) : output);
    }

    [Theory]
    [InlineData("did you mean Reflection?", "diff", "base.csv", "base.csv", "--factor-out", "Reflexion")]
    [InlineData("no row in common", "diff", "base.csv", "other.csv")]
    [InlineData(
        "one side has neither the suite's speed probe (probe_before_ns in runs.csv) nor the processors' clock",
        "diff",
        "base.csv",
        "base.csv",
        "--normalize"
    )]
    [InlineData("'x' is not a percentage", "gate", "base.csv", "base.csv", "--max-slowdown", "x")]
    [InlineData("unknown measure 'pause'", "gate", "base.csv", "base.csv", "--metric", "wall,pause")]
    public void Errors_say_what_to_name_instead(string expected, params string[] arguments)
    {
        Write("base.csv", launches: 3, ("A", 100, 1_000_000));
        Write("other.csv", launches: 3, ("B", 100, 1_000_000));

        var (code, _, error) = AnalyzeTool.Run([
            .. arguments.Select(argument => argument.EndsWith(".csv", StringComparison.Ordinal) ? In(argument) : argument),
        ]);

        Assert.Equal(2, code);
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }

    [Fact]
    public void One_recording_alone_cannot_be_compared()
    {
        var (code, _, error) = AnalyzeTool.Run("diff", TestFiles.Recording);

        Assert.Equal(2, code);
        Assert.NotEmpty(error);
    }

    private void CheckSnapshot(string name, string command, string baseline, string other, params string[] options)
    {
        var (code, output, error) = AnalyzeTool.Run([command, In(baseline), In(other), .. options]);

        Assert.Equal((0, ""), (code, error));
        Matches(name, output);
    }

    private void Matches(string name, string text) =>
        Snapshot.Matches("Reports.Tests", name, text.Replace(_folder.Path, "{folder}", StringComparison.Ordinal));

    private string In(string file) => Path.Combine(_folder.Path, file);

    /// <summary>A trace of 15 runs with a sample each.</summary>
    private void WriteTrace(string name, int microseconds)
    {
        using var trace = new SyntheticEtl(In(name));
        trace.SampleInterval(1);
        trace.Process(4000, "MyApp.exe");
        trace.Thread(4001, 4000);
        trace.Thread(4002, 4000);

        trace.Module(20, 4000, 4001, 1, @"C:\app\MyApp.dll");
        trace.Method(30, 4000, 4001, 1, 0x7FF8_0000_1000, 0x100, "MyApp.Fast", "Write", false);

        // The measuring thread has its own processor.
        trace.Processor = 1;
        trace.Switch(50, 0, 4001, waits: true);
        trace.Processor = 0;
        for (var run = 1; run <= 15; run++)
        {
            var start = run * 100_000L;
            trace.BeginRun(4000, 4001, 4002, run, "Fast", start);
            trace.Sample(start + 500, 4000, 4001, 0x7FF8_0000_1000);
            trace.EndRun(4000, 4001, 4002, run, "Fast", start, start + microseconds, 0);
        }
    }

    /// <summary>A run CSV: each launch a process with a run of each row.</summary>
    private void Write(string file, int launches, params ReadOnlySpan<(string Serializer, double Ms, long Bytes)> rows) =>
        Write(file, launches, RunMeasurement.Unknown, RunMeasurement.Unknown, rows);

    private void Write(
        string file,
        int launches,
        long peak,
        long program,
        params ReadOnlySpan<(string Serializer, double Ms, long Bytes)> rows
    )
    {
        using var csv = new StreamWriter(In(file));
        csv.WriteLine(string.Join(',', RunCsv.Columns));
        for (var launch = 1; launch <= launches; launch++)
        {
            var run = 0;
            foreach (var (serializer, ms, bytes) in rows)
            {
                // Between -2 and 2 %, in another order for each row, the same each time.
                var ticks = (long)(ms * 1e6 * (1 + (((launch * 7) + (run * 3)) % 9 - 4) * 0.005));
                var start = (launch * 1_000_000_000L) + (run++ * 200_000_000L);
                csv.WriteLine(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{100 + launch},{run},0,{serializer},lib,1.0,Serialize,Measured,1000,0,{launch},1,{start},{start + ticks},1000000000,"
                    ) + string.Create(CultureInfo.InvariantCulture, $"{ticks},{bytes},0,0,0,10,.NET 10.0.0,,-1,-1,-1,{peak},{program},0")
                );
            }
        }
    }
}
