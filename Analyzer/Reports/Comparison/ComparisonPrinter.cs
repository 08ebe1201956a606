using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Comparison.Gates;
using EtwSerializerProfiler.Analysis.Comparison.Trends;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Reports.Comparison.Gates;
using EtwSerializerProfiler.Reports.Html;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>From runs to a printed comparison.</summary>
public static class ComparisonPrinter
{
    /// <summary>Compares two sides and prints their differences with reasons.</summary>
    /// <param name="sources">Sources of the base side, and last the source of the other side.</param>
    /// <param name="query">The query.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <param name="page">File of a page with a difference flame graph; null for none.</param>
    /// <returns>The analysis result of both sides.</returns>
    /// <exception cref="TraceFormatException">A path has nothing readable, or allocations were requested but not recorded.</exception>
    /// <exception cref="NotComparableException">The sides have no row in common.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult PrintDiff(
        IReadOnlyList<IRunSource> sources,
        DiffQuery query,
        ReportFormat format,
        TextWriter output,
        string? page = null
    )
    {
        ArgumentNullException.ThrowIfNull(query);
        var hasLines = (query.Detail & DiffDetail.Line) != 0;
        var (baseline, other) =
            page is null && !hasLines ? ((FlameReading?)null, (FlameReading?)null) : (new FlameReading(), new FlameReading());
        var compared = Compare(
            sources,
            query.Comparison,
            new SideQuery(Allocations: (query.Detail & DiffDetail.Alloc) != 0, Flames: baseline, Lines: hasLines),
            other
        );
        if (hasLines)
            compared = compared with
            {
                Lines = LineComparison.Of(compared, query.Comparison.Filter, baseline!.Result(int.MaxValue), other!.Result(int.MaxValue)),
            };
        Report report;
        try
        {
            report = DiffReport.Build(compared, query);
        }
        catch (NotRecordedException exception)
        {
            throw new TraceFormatException(
                sources[0].Paths[0],
                null,
                $"recordings with {exception.Expected} on both sides",
                "one side has none",
                exception.Advice
            );
        }

        if (page is not null)
            HtmlReportPrinter.WriteFile(HtmlDiffBuilder.Build(compared, query, baseline!, other!), page);
        ReportPrinter.Write(report, format, output);
        return report.Result;
    }

    /// <summary>Compares two sides and prints whether the other side is within its limits.</summary>
    /// <param name="sources">Sources of the base side, and last the source of the other side.</param>
    /// <param name="query">Selects the runs and the way to compare them.</param>
    /// <param name="limits">Allowed changes.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <param name="files">Files for build servers.</param>
    /// <returns>The analysis result of both sides, and the gate's outcome.</returns>
    /// <exception cref="TraceFormatException">A path has nothing readable.</exception>
    /// <exception cref="NotComparableException">The sides have no row in common.</exception>
    /// <exception cref="IOException">A file cannot be read or written.</exception>
    public static (AnalysisResult Result, GateOutcome Outcome) PrintGate(
        IReadOnlyList<IRunSource> sources,
        ComparisonQuery query,
        GateLimits limits,
        ReportFormat format,
        TextWriter output,
        GateFiles files
    )
    {
        ArgumentNullException.ThrowIfNull(files);
        var gate = Gate.Judge(Compare(sources, query, new SideQuery()), limits);
        var report = GateReport.Build(gate);
        if (files.JUnit is { } junit)
        {
            using var stream = File.Create(junit);
            JUnitWriter.Write(gate, stream);
        }

        if (files.Markdown is { } markdown)
        {
            using var writer = new StreamWriter(markdown) { NewLine = "\n" };
            ReportPrinter.Write(report, ReportFormat.Markdown, writer);
        }

        ReportPrinter.Write(report, format, output);
        return (report.Result, gate.Outcome);
    }

    /// <summary>Prints a measure over several recordings, with change points.</summary>
    /// <param name="sources">Sources of the recordings.</param>
    /// <param name="query">Selects the runs.</param>
    /// <param name="metric">The measure.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <returns>The analysis result of the recordings.</returns>
    /// <exception cref="TraceFormatException">A path has nothing readable.</exception>
    /// <exception cref="NotComparableException">No run matches.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult PrintTrend(
        IReadOnlyList<IRunSource> sources,
        ComparisonQuery query,
        Metric metric,
        ReportFormat format,
        TextWriter output
    )
    {
        ArgumentNullException.ThrowIfNull(query);
        var side = Side(sources, new SideQuery(Methods: false));
        var report = TrendReport.Build(side, TrendAnalysis.Find(side, query.Filter, query.Options, metric));
        ReportPrinter.Write(report, format, output);
        return report.Result;
    }

    /// <summary>Reads both sides and compares them.</summary>
    /// <param name="sources">Sources of the base side, and last the source of the other side.</param>
    /// <param name="query">Selects the runs and the way to compare them.</param>
    /// <param name="side">What to read from each side besides its runs.</param>
    /// <param name="other">Receives the stacks of the other side, as <see cref="SideQuery.Flames"/> receives those of base.</param>
    internal static ComparisonResult Compare(
        IReadOnlyList<IRunSource> sources,
        ComparisonQuery query,
        SideQuery side,
        FlameReading? other = null
    )
    {
        ArgumentNullException.ThrowIfNull(sources);
        return ComparisonAnalysis.Compare(Side([.. sources.SkipLast(1)], side), Side([sources[^1]], side with { Flames = other }), query);
    }

    private static ComparedSide Side(IReadOnlyList<IRunSource> sources, SideQuery query) =>
        new(string.Join(' ', sources.SelectMany(source => source.Paths)), [.. sources.SelectMany(source => source.ReadEach(query))]);
}
