using System.CommandLine;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze stacktags</c>: writes the tags of serializers and causes as files for the Windows Performance Analyzer.</summary>
internal static class StacktagsCommand
{
    public static Command Create()
    {
        var command = new Command("stacktags", "Writes Serializers.stacktags and Causes.stacktags for the Windows Performance Analyzer, from the suites' catalogs.");
        var folder = new Option<string>("--out") { Description = "Folder to write them to.", HelpName = "DIR", DefaultValueFactory = _ => "stacktags" };
        command.Options.Add(folder);
        command.SetAction(parsed =>
        {
            var output = parsed.InvocationConfiguration.Output;
            try
            {
                foreach (var path in StacktagFiles.Write(parsed.GetValue(folder)!))
                    output.WriteLine($"Written: {path}");
                return ReportAction.Done;
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                parsed.InvocationConfiguration.Error.WriteLine($"esp-analyze: {exception.Message}; choose another folder with --out");
                return ReportAction.NotPermitted;
            }
        });
        return command;
    }
}
