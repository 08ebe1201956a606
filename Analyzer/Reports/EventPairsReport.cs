using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Reports;

/// <summary>Lists the start/stop pairs of a trace that can delimit runs.</summary>
public static class EventPairsReport
{
    private static readonly IReadOnlyList<Column<EventPair>> s_columns =
    [
        new("runs", "Events for --runs", pair => pair.Title),
        new("starts", "Starts", pair => pair.Starts, "0"),
        new("stops", "Stops", pair => pair.Stops, "0"),
    ];

    /// <summary>Prints the pairs.</summary>
    /// <param name="paths">Recordings' folders, or files.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <exception cref="TraceFormatException">Nothing is readable.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult Print(IReadOnlyList<string> paths, ReportFormat format, TextWriter output)
    {
        var input = TraceInputReader.Open(paths);
        var section = Section.Of("pairs", "", EventPairs.Of(input.Processes), s_columns, s_columns, whenEmpty: "(no start/stop pairs)");
        var result = AnalysisResult.OfFindings([]);
        ReportPrinter.Write(
            new Report("pairs", input, result, [section], []) { Header = [$"Start/stop pairs of {string.Join(' ', paths)}"] },
            format,
            output
        );
        return result;
    }
}
