using System.CommandLine;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Stacktags;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Stores;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.Export;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Prints a report; turns exceptions into three-line errors and exit codes.</summary>
internal static class ReportAction
{
    /// <summary>Prints the report of <paramref name="print"/>.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="names">The command's arguments.</param>
    /// <param name="print">Prints the report.</param>
    /// <param name="findingsInCsv">Whether a CSV of the report includes the findings.</param>
    public static int Run(
        ParseResult arguments,
        AnalyzeArguments names,
        Func<IReadOnlyList<string>, ReportFormat, TextWriter, AnalysisResult> print,
        bool findingsInCsv = false
    )
    {
        var output = arguments.InvocationConfiguration.Output;
        var error = arguments.InvocationConfiguration.Error;
        var format = arguments.GetValue(names.Format);
        var paths = names.PathsOf(arguments);
        return Guarded(
            arguments,
            paths,
            () =>
            {
                var result =
                    names.Runs?.IsList(arguments) == true ? EventPairsReport.Print(paths, format, output) : print(paths, format, output);
                output.Flush();

                // A CSV has no place for these lines, but users who pipe it should see them.
                if (format == ReportFormat.Csv)
                {
                    foreach (var recording in result.Recordings.Where(recording => recording.Kept is not null))
                        error.WriteLine(PrintableText.Of($"{recording.Prefix}Kept interval: {recording.Kept!.Text}."));
                    foreach (var warning in findingsInCsv ? [] : result.Findings.Where(finding => finding.Kind == FindingKind.Warning))
                        error.WriteLine(PrintableText.Of($"Warning: {warning.Text}."));
                }
            }
        );
    }

    /// <summary>Writes files and lists them on the output.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="paths">Paths to read.</param>
    /// <param name="write">Writes the files, given the output.</param>
    public static int Write(ParseResult arguments, string[] paths, Action<TextWriter> write) =>
        Guarded(arguments, paths, () => write(arguments.InvocationConfiguration.Output));

    /// <summary>Messages of the tool on the error stream.</summary>
    public static ToolMessages Messages(ParseResult arguments) => new(RootCommandFactory.ToolName, arguments.InvocationConfiguration.Error);

    /// <summary>Runs an action that reads; its errors become messages and an exit code.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="paths">Paths to read.</param>
    /// <param name="action">The action.</param>
    public static int Guarded(ParseResult arguments, string[] paths, Action action)
    {
        try
        {
            action();
            return ExitCode.Done;
        }
        catch (Exception exception) when (CodeOf(exception) is not null)
        {
            var problem = SystemProblem.Of(
                exception,
                paths.Length > 0 ? string.Join(", ", paths.Take(3)) : RootCommandFactory.ToolName,
                "name another recording or trace file, or make this one readable"
            );
            Messages(arguments).Error(problem);
            return CodeOf(exception)!.Value;
        }
    }

    /// <summary>Exit code for exceptions of readers; null for others.</summary>
    public static int? CodeOf(Exception exception) =>
        exception switch
        {
            StoreException { IsUsage: true } => ExitCode.Usage,
            NoRunMatchesException
            or UnknownProcessException
            or NoEventMatchesException
            or StacktagFormatException
            or NotComparableException
            or ExportException => ExitCode.Usage,
            TraceFormatException or IOException or UnauthorizedAccessException => ExitCode.Unreadable,
            _ => null,
        };
}
