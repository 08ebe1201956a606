using System.Text.RegularExpressions;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Takes out of a page what says who recorded where: command lines, folders, the machine's and the user's name; and source code.</summary>
internal static partial class SharedPage
{
    /// <summary>The page without them.</summary>
    public static HtmlReport Of(HtmlReport report) => report with
    {
        Sources = [],
        Tables = report.Tables with
        {
            Input = Of(report.Tables.Input),
            Result = report.Tables.Result with { Damages = [.. report.Tables.Result.Damages.Select(damage => damage with { File = Name(damage.File) })] },
        },
    };

    /// <summary>A text in which home folders, whose names are those of users, are <c>~</c>: paths stand in losses, in findings and among the frames.</summary>
    public static string WithoutHomes(string text) => Home().Replace(text, "~");

    private static TraceInput Of(TraceInput input) => input with
    {
        Paths = [.. input.Paths.Select(Name)],
        FilesRead = [.. input.FilesRead.Select(Name)],
        Recordings =
        [
            .. input.Recordings.Select(recording => recording with
            {
                Description = recording.Description with { Command = [], Configuration = null, WorkingDirectory = "", Host = recording.Description.Host with { MachineName = "" } },
            }),
        ],
    };

    private static string Name(string path) => Path.GetFileName(Path.TrimEndingDirectorySeparator(path.Replace('\\', '/')));

    /// <summary>The home folder of a user on Linux, macOS and Windows, there also as JSON has it.</summary>
    [GeneratedRegex("""(?<![\w.~-])(?:/home/[^/\s"'<>&,;:]+|/Users/[^/\s"'<>&,;:]+|/root(?=[/\s"'<>&,;:])|[A-Za-z]:(?<separator>\\{1,2})Users\k<separator>[^\\/\s"'<>&,;:]+)""", RegexOptions.CultureInvariant)]
    private static partial Regex Home();
}
