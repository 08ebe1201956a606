using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Reports.Html;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze report</c>: a recording as one HTML file.</summary>
internal static class ReportCommand
{
    public static Command Create()
    {
        var command = new Command("report", "Writes a recording as one HTML file that loads nothing: headline, causes, table, growth, timeline, flame graphs, findings.");
        command.WithExamples(
            ("esp-analyze report recordings/r1", "Which serializer is slow and why, as a page that needs no network."),
            ("esp-analyze report recordings/r1 -o page.html", "The page under another name."),
            ("esp-analyze report recordings/r1 -o page.html --share", "The page for others: without command line, user and machine."));
        var arguments = new AnalyzeArguments(stores: true);
        var paths = arguments.Paths;
        var file = new Option<string?>("--out", "-o", "--output") { Description = $"File to write, replaced when it exists; {HtmlReportPrinter.FileName} in the recording's folder, of trace files in the current folder, unless given.", HelpName = "FILE" };
        var share = new Option<bool>("--share") { Description = "Leave out what says who recorded where: the command line, the names of user and machine, source code." };
        var noSource = new Option<bool>("--no-source") { Description = "Leave out source code; --share does so, too." };
        var symbols = new SymbolsOption();
        arguments.AddPathsTo(command);
        command.Options.Add(file);
        command.Options.Add(share);
        command.Options.Add(noSource);
        symbols.AddTo(command);
        command.SetAction(parsed => ReportAction.Write(parsed, arguments.PathsOf(parsed), output =>
        {
            var named = arguments.PathsOf(parsed);
            var target = parsed.GetValue(file) ?? (parsed.GetValue(paths) is [var only] && Directory.Exists(only) ? Path.Combine(only, HtmlReportPrinter.FileName) : HtmlReportPrinter.FileName);
            HtmlReportPrinter.Write(RunSources.Open(named, symbols.Files(parsed)), target, parsed.GetValue(share), withSource: !parsed.GetValue(noSource));
            output.WriteLine(target);
        }));
        return command;
    }
}
