using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze stacktags</c>: writes tags of serializers and causes for the Windows Performance Analyzer.</summary>
internal static class StacktagsCommand
{
    public static Command Create()
    {
        var command = new Command(
            "stacktags",
            "Writes Serializers.stacktags and Causes.stacktags for the Windows Performance Analyzer, from the suites' catalogs."
        );
        command.WithExamples(
            ("esp-analyze stacktags", "Tags of serializers and causes for WPA, in the folder stacktags."),
            ("esp-analyze stacktags -o wpa", "The same in another folder.")
        );
        var folder = new Option<string>("--out", "-o", "--output")
        {
            Description = "Folder to write to.",
            HelpName = "DIR",
            DefaultValueFactory = _ => "stacktags",
        };
        command.Options.Add(folder);
        command.SetAction(parsed => WriteAction.Run(parsed, parsed.GetValue(folder)!, () => StacktagFiles.Write(parsed.GetValue(folder)!)));
        return command;
    }
}
