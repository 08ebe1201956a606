using System.Globalization;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Timelines;
using EtwSerializerProfiler.Reports.Stored;
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
        return OfTable(input, ReportBuilder.Table(input, read.Result, detail: true, read.FirstCalls)) with
        {
            Timelines = timeline.Result(read.Result.Runs),
            Flames = flames.Result(MostNodes),
            NotRecorded = read.NotRecorded,
        };
    }

    /// <summary>Makes the report of traces of a store, which have no stacks and no timeline.</summary>
    internal static HtmlReport OfStore(StoredRuns stored)
    {
        var table = ReportBuilder.Table(stored.Input, stored.WithFindings, detail: true);
        return OfTable(stored.Input, table with { Closing = [.. table.Closing, "Not stored: timeline and flame graphs (esp-analyze report on the recording has them)", .. stored.TableNotes] }) with
        {
            NotRecorded = stored.NotRecorded,
            IsOfStore = true,
        };
    }

    private static HtmlReport OfTable(TraceInput input, Report table) => new(Title(input), table)
    {
        Headlines = HeadlineBuilder.Build(table.Result),
        Matrix = MatrixPanel.Of(table.Result.Rows),
        Rows = table.Result.Rows,
        Growth = GrowthChart.Of(table.Result.Rows),
    };

    private static string Title(TraceInput input)
    {
        var started = input.Recordings.Select(recording => recording.Description.StartedUtc).Order().Select(time => time.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) + " UTC").FirstOrDefault("");
        var name = input.Recordings.Any(recording => recording.Description.BuiltInSuite) ? "Serializers" : input.Processes.Select(process => process.Program).FirstOrDefault(program => program.Length > 0) ?? "Recording";
        return started.Length > 0 ? $"{name}, {started}" : $"{name}: {string.Join(' ', input.Paths.Select(Path.GetFileName))}";
    }
}
