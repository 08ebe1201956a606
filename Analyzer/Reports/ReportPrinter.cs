using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Reports.Writers;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>From paths to a printed report: what the commands and the recorder call.</summary>
public static class ReportPrinter
{
    /// <summary>Reads a recording's folder and prints its table.</summary>
    /// <param name="recordingFolder">Folder written by esp-record.</param>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Where it goes.</param>
    /// <returns>What was printed, findings included.</returns>
    /// <exception cref="TraceFormatException">Nothing in the folder can be read.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult PrintTable(string recordingFolder, ReportFormat format, TextWriter output) => PrintTable([recordingFolder], format, output);

    /// <summary>Reads recordings or trace files and prints their table.</summary>
    /// <inheritdoc cref="PrintTable(string, ReportFormat, TextWriter)"/>
    public static AnalysisResult PrintTable(IReadOnlyList<string> paths, ReportFormat format, TextWriter output) => Print(paths, format, output, ReportBuilder.Table);

    /// <summary>Reads recordings or trace files and prints one row a run.</summary>
    /// <inheritdoc cref="PrintTable(string, ReportFormat, TextWriter)"/>
    public static AnalysisResult PrintRuns(IReadOnlyList<string> paths, ReportFormat format, TextWriter output) => Print(paths, format, output, ReportBuilder.Runs);

    /// <summary>Writes a report.</summary>
    public static void Write(Report report, ReportFormat format, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(report);
        ArgumentNullException.ThrowIfNull(output);
        switch (format)
        {
            case ReportFormat.Csv: CsvReportWriter.Write(report, output); break;
            case ReportFormat.Json: JsonReportWriter.Write(report, output); break;
            case ReportFormat.Markdown: MarkdownReportWriter.Write(report, output); break;
            default: TextReportWriter.Write(report, output); break;
        }
    }

    private static AnalysisResult Print(IReadOnlyList<string> paths, ReportFormat format, TextWriter output, Func<TraceInput, AnalysisResult, Report> build)
    {
        var input = TraceInputReader.Open(paths);
        var result = RunAnalysis.Run(input.Processes, Problems(input));
        Write(build(input, result), format, output);
        return result;
    }

    /// <summary>What the recording says is missing from it, and what could not be opened.</summary>
    private static List<string> Problems(TraceInput input)
    {
        var problems = new List<string>();
        if (input.Recording is { } recording)
        {
            if (!recording.Complete)
                problems.Add($"the recording is partial: {(recording.Interruption.Length > 0 ? recording.Interruption : "it was cut short")}");
            problems.AddRange(recording.Losses);
        }

        problems.AddRange(input.Problems);
        return problems;
    }
}
