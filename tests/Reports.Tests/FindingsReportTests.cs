using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces.Inputs;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary><c>esp-analyze findings</c>, for a recording and for made-up findings.</summary>
public sealed class FindingsReportTests
{
    [Fact]
    public void Findings_of_the_recording()
    {
        using var output = new StringWriter();
        FindingsReport.Print(new TraceRuns([TestFiles.Recording]), ReportFormat.Table, output);

        Snapshot.Matches("Reports.Tests", "findings-recording", output.ToString());
    }

    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Markdown)]
    [InlineData(ReportFormat.Csv)]
    [InlineData(ReportFormat.Json)]
    public void Findings_with_evidence_and_locations(ReportFormat format)
    {
        using var output = new StringWriter();
        ReportPrinter.Write(
            FindingsReport.Build(
                new TraceInput(["made-up"], [], [], false, [], ["made-up"]),
                AnalysisResult.OfFindings(Made()),
                ["exceptions", "CPU samples"]
            ),
            format,
            output
        );

        Snapshot.Matches("Reports.Tests", $"findings-{format}".ToLowerInvariant(), output.ToString());
    }

    [Fact]
    public void Text_has_the_first_numbers_and_locations_and_JSON_has_all()
    {
        var process = new ProcessKey("", 1);
        var many = new Finding(FindingKind.Hint, "many", "many")
        {
            Evidence = [.. Enumerable.Range(1, 20).Select(n => new FindingEvidence($"number {n}", n, ""))],
            Locations = [.. Enumerable.Range(1, 9).Select(n => new FindingLocation(process, n, n, n + 1, $"place {n}"))],
        };
        var report = FindingsReport.Build(
            new TraceInput(["made-up"], [], [], false, [], ["made-up"]),
            AnalysisResult.OfFindings([many]),
            []
        );

        using var text = new StringWriter();
        ReportPrinter.Write(report, ReportFormat.Table, text);
        Assert.Contains("The first 12 of 20 numbers:", text.ToString(), StringComparison.Ordinal);
        Assert.Contains("The first 5 of 9 locations:", text.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("place 6", text.ToString(), StringComparison.Ordinal);

        using var json = new StringWriter();
        ReportPrinter.Write(report, ReportFormat.Json, json);
        var finding = JsonDocument.Parse(json.ToString()).RootElement.GetProperty("findings")[0];
        Assert.Equal((20, 9), (finding.GetProperty("evidence").GetArrayLength(), finding.GetProperty("locations").GetArrayLength()));
    }

    [Fact]
    public void Every_report_has_them_in_json_and_as_a_line()
    {
        var finding = JsonDocument
            .Parse(Run("table", TestFiles.Recording, "--format", "json").Output)
            .RootElement.GetProperty("findings")
            .EnumerateArray()
            .First(item => item.GetProperty("code").GetString() == "runs-failed");

        Assert.Equal("Certain", finding.GetProperty("confidence").GetString());
        Assert.Equal("Broken Serialize N=1: runs failed", finding.GetProperty("evidence")[0].GetProperty("name").GetString());
        Assert.True(
            finding.GetProperty("locations")[0].GetProperty("stopMs").GetDouble()
                > finding.GetProperty("locations")[0].GetProperty("startMs").GetDouble()
        );
        Assert.Contains(
            "Warning: Broken Serialize N=1: 1 of 1 run failed",
            Run("table", TestFiles.Recording).Output,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_csv_of_findings_has_the_warnings_as_rows()
    {
        var (code, output, error) = Run("findings", TestFiles.Recording, "--format", "csv");

        Assert.Equal((0, ""), (code, error));
        Assert.Contains("Finding,Warning,runs-failed,Certain,", output, StringComparison.Ordinal);
    }

    /// <summary>A finding about the whole .etl file appears once.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_coarse_sampling_interval_of_a_windows_trace_is_reported_once(bool hasSamples)
    {
        using var folder = new TempFolder();
        var path = Path.Combine(folder.Path, "coarse.etl");
        using (var trace = new SyntheticEtl(path))
        {
            trace.SampleInterval(10);
            trace.Process(4000, "MyApp.exe");
            trace.Thread(4001, 4000);
            trace.Thread(4002, 4000);
            trace.BeginRun(4000, 4001, 4002, 1, "Fast", 10_000);
            if (hasSamples)
                trace.Sample(10_500, 4000, 4001, 0x7FF8_0000_1000);
            trace.EndRun(4000, 4001, 4002, 1, "Fast", 10_000, 30_000, 0);
        }

        var (code, output, error) = Run("findings", path, "--format", "json");

        Assert.True(code == 0, error);
        var finding = Assert.Single(
            JsonDocument.Parse(output).RootElement.GetProperty("findings").EnumerateArray(),
            item => item.GetProperty("code").GetString() == "sample-interval"
        );
        Assert.Equal("Warning", finding.GetProperty("kind").GetString());
        Assert.Equal(hasSamples ? 2 : 0, finding.GetProperty("evidence").GetArrayLength());
    }

    /// <summary>The table applies all rules; a report that reads no events applies only the rules that need none.</summary>
    [Fact]
    public void The_table_has_all_findings()
    {
        Assert.Equal(Texts("findings"), Texts("table"));
        Assert.Contains(Texts("table"), text => text.Contains(" of thread time waits, ", StringComparison.Ordinal));
        Assert.DoesNotContain(Texts("runs"), text => text.Contains(" of thread time waits, ", StringComparison.Ordinal));

        IReadOnlyList<string> Texts(string command) =>
            [
                .. JsonDocument
                    .Parse(Run(command, TestFiles.Recording, "--format", "json").Output)
                    .RootElement.GetProperty("findings")
                    .EnumerateArray()
                    .Select(finding => finding.GetProperty("text").GetString()!),
            ];
    }

    [Fact]
    public void What_was_not_recorded_is_listed_as_not_checked()
    {
        var (_, text, _) = Run("findings", TestFiles.Recording);
        Assert.Contains(
            "Not recorded, so not checked: first calls (esp-record -test firstcall), CPU samples",
            text,
            StringComparison.Ordinal
        );

        var summary = JsonDocument.Parse(Run("findings", TestFiles.Unmarked, "--format", "json").Output).RootElement.GetProperty("summary");
        Assert.Contains("exceptions", summary.GetProperty("notRecorded").GetString(), StringComparison.Ordinal);
    }

    private static List<Finding> Made() =>
        [
            new(FindingKind.Warning, "runs-missing", "expected 3 runs, found 2"),
            new(FindingKind.Hint, "growth", "Slow Serialize: time grows | quickly; write less")
            {
                Confidence = FindingConfidence.Likely,
                Advice = "write less",
                Evidence =
                [
                    new FindingEvidence("exponent", 2.04, "") { Interval = (1.98, 2.1) },
                    new FindingEvidence("median, N=1000", 1234.5678, "ms"),
                ],
                Locations =
                [
                    new FindingLocation(new ProcessKey("", 4711), 12, 1000.5, 2000.25, "Slow Serialize N=1000"),
                    new FindingLocation(new ProcessKey("mono", 4712), null, 3000, 4000, "GC 7"),
                ],
            },
            new(FindingKind.Hint, "short", "short runs")
            {
                Advice = "make longer ones",
                Confidence = FindingConfidence.Possible,
                Evidence = [new FindingEvidence("runs", 4, "")],
            },
        ];
}
