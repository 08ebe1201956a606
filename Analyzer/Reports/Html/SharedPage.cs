using System.Text.RegularExpressions;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Removes the origin of a recording from a page: command lines, folders, names of machine and user, and source code.</summary>
internal static partial class SharedPage
{
    /// <summary>Returns the page without them.</summary>
    public static HtmlReport Of(HtmlReport report) =>
        report with
        {
            Sources = [],
            Tables = report.Tables with
            {
                Input = Of(report.Tables.Input),
                Result = report.Tables.Result with
                {
                    Damages = [.. report.Tables.Result.Damages.Select(damage => damage with { File = Name(damage.File) })],
                },
            },
        };

    /// <summary>Replaces home folders, which contain user names, with <c>~</c>: losses, findings and frames may contain paths.</summary>
    public static string WithoutHomes(string text) => Home().Replace(text, "~");

    private static TraceInput Of(TraceInput input) =>
        input with
        {
            Paths = [.. input.Paths.Select(Name)],
            FilesRead = [.. input.FilesRead.Select(Name)],
            Recordings =
            [
                .. input.Recordings.Select(recording =>
                    recording with
                    {
                        Description = recording.Description with
                        {
                            Command = [],
                            Configuration = null,
                            WorkingDirectory = "",
                            Host = recording.Description.Host with { MachineName = "" },
                        },
                    }
                ),
            ],
        };

    private static string Name(string path) => Path.GetFileName(Path.TrimEndingDirectorySeparator(path.Replace('\\', '/')));

    /// <summary>Home folders on Linux, macOS and Windows, for the latter also as escaped in JSON.</summary>
    [GeneratedRegex(
        """(?<![\w.~-])(?:/home/[^/\s"'<>&,;:]+|/Users/[^/\s"'<>&,;:]+|/root(?=[/\s"'<>&,;:])|[A-Za-z]:(?<separator>\\{1,2})Users\k<separator>[^\\/\s"'<>&,;:]+)""",
        RegexOptions.CultureInvariant
    )]
    private static partial Regex Home();
}
