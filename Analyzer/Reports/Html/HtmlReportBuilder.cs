using System.Globalization;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Timelines;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Puts together what the page of a recording shows.</summary>
public static class HtmlReportBuilder
{
    /// <summary>Paths of calls in all flame graphs together; a default recording has about 13,000.</summary>
    public const int MostNodes = 100_000;

    /// <summary>Makes the report.</summary>
    /// <param name="input">What was opened.</param>
    /// <param name="read">What the rules looked at, findings included.</param>
    /// <param name="flames">The stacks that were read with it.</param>
    /// <param name="timeline">What happened when.</param>
    public static HtmlReport Build(TraceInput input, FindingInput read, FlameReading flames, TimelineReading timeline)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(read);
        ArgumentNullException.ThrowIfNull(flames);
        ArgumentNullException.ThrowIfNull(timeline);
        var result = read.Result;
        return new HtmlReport(Title(input), ReportBuilder.Table(input, result, detail: true, read.FirstCalls))
        {
            Headlines = HeadlineBuilder.Build(result),
            Matrix = MatrixPanel.Of(result.Rows),
            Rows = result.Rows,
            Growth = GrowthChart.Of(result.Rows),
            Timelines = timeline.Result(result.Runs),
            Flames = flames.Result(MostNodes),
            NotRecorded = read.NotRecorded,
        };
    }

    private static string Title(TraceInput input)
    {
        var started = input.Recordings.Select(recording => recording.Description.StartedUtc).Order().Select(time => time.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) + " UTC").FirstOrDefault("");
        var name = input.Recordings.Any(recording => recording.Description.BuiltInSuite) ? "Serializers" : input.Processes.Select(process => process.Program).FirstOrDefault(program => program.Length > 0) ?? "Recording";
        return started.Length > 0 ? $"{name}, {started}" : $"{name}: {string.Join(' ', input.Paths.Select(Path.GetFileName))}";
    }
}
