using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Reports.Html;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze report</c>: a recording as one HTML file.</summary>
internal static class ReportCommand
{
    public static Command Create()
    {
        var command = new Command(
            "report",
            "Writes a recording as one self-contained HTML file: headline, causes, table, growth, timeline, flame graphs, findings."
        );
        command.WithExamples(
            ("esp-analyze report recordings/r1", "Which serializer is slow and why, as a page that works offline."),
            ("esp-analyze report recordings/r1 -o page.html", "Write the page to another file."),
            (
                "esp-analyze report recordings/r1 -o page.html --share",
                "A page to share: without command line, user, machine and source code."
            )
        );
        var arguments = new AnalyzeArguments(stores: true, myCode: true);
        var paths = arguments.Paths;
        var file = new Option<string?>("--out", "-o", "--output")
        {
            Description =
                $"File to write, replaced if it exists (default: {HtmlReportPrinter.FileName} in the recording's folder; for trace files, in the current folder).",
            HelpName = "FILE",
        };
        var share = new Option<bool>("--share")
        {
            Description = "Leave out what identifies the origin: command line, names of user and machine, source code.",
        };
        var noSource = new Option<bool>("--no-source") { Description = "Leave out source code (included in --share)." };
        var symbols = new SymbolsOption();
        arguments.AddPathsTo(command);
        command.Options.Add(file);
        command.Options.Add(share);
        command.Options.Add(noSource);
        symbols.AddTo(command);
        command.SetAction(parsed =>
            ReportAction.Write(
                parsed,
                arguments.PathsOf(parsed),
                output =>
                {
                    var named = arguments.PathsOf(parsed);
                    var target =
                        parsed.GetValue(file)
                        ?? (
                            parsed.GetValue(paths) is [var only] && Directory.Exists(only)
                                ? Path.Combine(only, HtmlReportPrinter.FileName)
                                : HtmlReportPrinter.FileName
                        );
                    HtmlReportPrinter.Write(
                        RunSources.Open(named, symbols.Files(parsed)),
                        target,
                        parsed.GetValue(share),
                        withSource: !parsed.GetValue(noSource)
                    );
                    output.WriteLine(target);
                }
            )
        );
        return command;
    }
}
