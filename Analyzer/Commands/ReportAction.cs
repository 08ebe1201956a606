using System.CommandLine;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Stacktags;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Contents;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Prints a report and turns errors into one line and an exit code.</summary>
internal static class ReportAction
{
    public const int Done = 0;
    public const int Unreadable = 3;
    public const int NotPermitted = 4;

    /// <summary>Prints the report that <paramref name="print"/> makes.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="names">Its arguments.</param>
    /// <param name="print">Prints.</param>
    /// <param name="findingsInCsv">Whether a CSV of the report holds the findings itself.</param>
    public static int Run(ParseResult arguments, AnalyzeArguments names, Func<IReadOnlyList<string>, ReportFormat, TextWriter, AnalysisResult> print, bool findingsInCsv = false)
    {
        var output = arguments.InvocationConfiguration.Output;
        var error = arguments.InvocationConfiguration.Error;
        var format = arguments.GetValue(names.Format);
        return Guarded(error, () =>
        {
            var result = print(arguments.GetValue(names.Paths)!, format, output);
            output.Flush();

            // A CSV has no place for them, and whoever pipes it is to see them.
            if (format == ReportFormat.Csv)
            {
                foreach (var recording in result.Recordings.Where(recording => recording.Kept is not null))
                    error.WriteLine($"{recording.Prefix}Kept interval: {recording.Kept!.Text}.");
                foreach (var warning in findingsInCsv ? [] : result.Findings.Where(finding => finding.Kind == FindingKind.Warning))
                    error.WriteLine($"Warning: {warning.Text}.");
            }
        });
    }

    /// <summary>Writes files and says which on the output.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="write">Writes; takes the output.</param>
    public static int Write(ParseResult arguments, Action<TextWriter> write) =>
        Guarded(arguments.InvocationConfiguration.Error, () => write(arguments.InvocationConfiguration.Output));

    private static int Guarded(TextWriter error, Action action)
    {
        try
        {
            action();
            return Done;
        }
        catch (TraceFormatException exception)
        {
            error.WriteLine($"esp-analyze: {exception.Message}");
            return Unreadable;
        }
        catch (Exception exception) when (exception is NoRunMatchesException or UnknownProcessException or NoEventMatchesException or StacktagFormatException or NotComparableException)
        {
            error.WriteLine($"esp-analyze: {exception.Message}");
            return RootCommandFactory.Usage;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            error.WriteLine($"esp-analyze: {exception.Message}");
            return Unreadable;
        }
    }
}
