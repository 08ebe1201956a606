using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze references</c>: what assemblies refer to and how they were built.</summary>
internal static class ReferencesCommand
{
    public static Command Create()
    {
        var command = new Command("references", "Assemblies of a program: references with their flags, versions and keys, what would be loaded for them, debug builds, precompiled code, architecture. Nothing is loaded or run.");
        command.WithExamples(
            ("esp-analyze references bin/Release/net10.0", "Which assemblies are debug builds, or would be loaded in another version?"),
            ("esp-analyze references MyApp.dll --all", "All that one assembly refers to."));
        var arguments = new AnalyzeArguments("Assemblies (.dll, .exe), or folders with all below them.", runs: false);
        var all = new Option<bool>("--all") { Description = "Show all references, not only those with something to say." };
        arguments.AddTo(command);
        command.Options.Add(all);
        command.SetAction(parsed => ReportAction.Run(parsed, arguments, (paths, format, output) => ReferencesReport.Print(paths, parsed.GetValue(all), format, output)));
        return command;
    }
}
