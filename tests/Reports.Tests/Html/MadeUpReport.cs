using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Timelines;
using EtwSerializerProfiler.Reports.Html;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Reports.Tests.Html;

/// <summary>Pages of made-up traces.</summary>
internal static class MadeUpReport
{
    /// <summary>The analysis of a trace, and its page.</summary>
    public static (FindingInput Read, HtmlReport Page) Build(SyntheticTrace trace)
    {
        var input = new TraceInput(
            ["made-up"],
            [new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [trace], [])],
            [],
            false,
            [],
            ["made-up"]
        );
        var (flames, timeline) = (new FlameReading(), new TimelineReading());
        var read = FindingAnalysis.Run(input, [], new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero), flames, timeline);
        return (
            read,
            HtmlReportBuilder.Build(
                new RunReading(input, read.Result)
                {
                    NotRecorded = read.NotRecorded,
                    FirstCalls = read.FirstCalls,
                    Flames = flames,
                    Timeline = timeline,
                }
            )
        );
    }

    /// <summary>HTML of a page.</summary>
    public static string Write(HtmlReport page)
    {
        using var output = new StringWriter();
        HtmlReportPrinter.Write(page, output);
        return output.ToString();
    }
}
