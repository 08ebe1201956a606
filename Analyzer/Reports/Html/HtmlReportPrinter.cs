using System.Text;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Reports.Comparison;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Writes pages, for the commands and the recorder.</summary>
public static class HtmlReportPrinter
{
    /// <summary>Name of the page in a recording's folder.</summary>
    public const string FileName = "report.html";

    /// <summary>Reads runs and writes the page.</summary>
    /// <param name="source">Source of the runs.</param>
    /// <param name="file">File to write; an existing one is replaced.</param>
    /// <param name="share">Whether to leave out command line, user, machine and source code, for sharing.</param>
    /// <param name="withSource">Whether the page may have source code.</param>
    /// <returns>The analysis result, including findings.</returns>
    /// <exception cref="TraceFormatException">Nothing is readable.</exception>
    /// <exception cref="IOException">A file cannot be read or written.</exception>
    public static AnalysisResult Write(IRunSource source, string file, bool share = false, bool withSource = true)
    {
        ArgumentNullException.ThrowIfNull(source);
        var page = HtmlReportBuilder.Build(source.Read(RunParts.Findings | RunParts.Pictures));
        WriteFile(withSource ? page : page with { Sources = [] }, file, share);
        return page.Tables.Result;
    }

    /// <summary>Reads a recording once, prints its table and writes the page.</summary>
    /// <param name="source">The recording.</param>
    /// <param name="format">Form of the table.</param>
    /// <param name="output">Where the table goes.</param>
    /// <param name="file">File of the page.</param>
    /// <returns>Reason why the page could not be written; null on success.</returns>
    /// <exception cref="TraceFormatException">Nothing in the folder is readable.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static string? PrintTableAndWrite(IRunSource source, ReportFormat format, TextWriter output, string file)
    {
        ArgumentNullException.ThrowIfNull(source);
        var read = source.Read(RunParts.Findings | RunParts.Pictures);
        ReportPrinter.Write(ReportBuilder.FirstScreen(read, format), format, output);
        var page = HtmlReportBuilder.Build(read);
        try
        {
            WriteFile(page, file);
            return null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return exception.Message;
        }
    }

    /// <summary>Builds the page of a comparison.</summary>
    /// <param name="compared">The comparison.</param>
    /// <param name="query">The query.</param>
    /// <param name="baseline">Stacks of base.</param>
    /// <param name="other">Stacks of the other side.</param>
    public static HtmlReport Comparison(ComparisonResult compared, DiffQuery query, FlameReading baseline, FlameReading other) =>
        HtmlDiffBuilder.Build(compared, query, baseline, other);

    /// <summary>Writes a page.</summary>
    public static void Write(HtmlReport report, TextWriter output) => HtmlPage.Write(report, output);

    /// <summary>Writes a page to a file, and removes an incomplete file.</summary>
    internal static void WriteFile(HtmlReport report, string file, bool share = false)
    {
        var temporary = file + ".tmp";
        try
        {
            using (
                var writer = new StreamWriter(
                    temporary,
                    append: false,
                    new UTF8Encoding(encoderShouldEmitUTF8Identifier: false),
                    bufferSize: 64 * 1024
                )
                {
                    NewLine = "\n",
                }
            )
            {
                if (share)
                    WriteShared(report, writer);
                else
                    Write(report, writer);
            }

            File.Move(temporary, file, overwrite: true);
        }
        finally
        {
            File.Delete(temporary);
        }
    }

    private static void WriteShared(HtmlReport report, TextWriter output)
    {
        using var page = new StringWriter { NewLine = output.NewLine };
        Write(SharedPage.Of(report), page);
        output.Write(SharedPage.WithoutHomes(page.ToString()));
    }
}
