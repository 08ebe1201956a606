using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze references</c>: references and builds of assemblies.</summary>
internal static class ReferencesCommand
{
    public static Command Create()
    {
        var command = new Command(
            "references",
            "Inspects the assemblies of a program: references with flags, versions and keys, the files that would be loaded, debug builds, precompiled code, architecture. Loads and runs nothing."
        );
        command.WithExamples(
            ("esp-analyze references bin/Release/net10.0", "Which assemblies are debug builds, or would load in another version?"),
            ("esp-analyze references MyApp.dll --all", "All references of one assembly.")
        );
        var arguments = new AnalyzeArguments("Assemblies (.dll, .exe), or folders, searched with their sub-folders.", runs: false);
        var all = new Option<bool>("--all") { Description = "Show all references, not only notable ones." };
        arguments.AddTo(command);
        command.Options.Add(all);
        command.SetAction(parsed =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) => ReferencesReport.Print(paths, parsed.GetValue(all), format, output)
            )
        );
        return command;
    }
}
