using System.Globalization;
using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Sessions.Etw.Ownership;

/// <summary>
/// Parses the lists of running sessions that tools print: blocks of <c>Logger Name : …</c> (xperf -loggers, tracelog -l), <c>Collector Name
/// : …</c> (wpr -status collectors), or the table of <c>logman query -ets</c>.
/// </summary>
public static partial class EtwSessionListing
{
    /// <summary>Parses a listing. Skips unknown lines, because they differ between versions.</summary>
    public static IReadOnlyList<EtwRunningSession> Read(string output)
    {
        ArgumentNullException.ThrowIfNull(output);
        var lines = output.ReplaceLineEndings("\n").Split('\n');
        var rule = Array.FindIndex(lines, line => line.Length > 20 && line.Trim('-').Length == 0);
        return rule > 0 ? Table(lines, rule) : Blocks(lines);
    }

    private static List<EtwRunningSession> Blocks(string[] lines)
    {
        var sessions = new List<EtwRunningSession>();
        foreach (var line in lines)
        {
            if (Field().Match(line) is not { Success: true } field)
                continue;
            var value = field.Groups["value"].Value.Trim();
            switch (field.Groups["name"].Value)
            {
                case "Logger Name" or "Collector Name":
                    sessions.Add(new EtwRunningSession(value));
                    break;
                case "Log Filename" when sessions.Count > 0:
                    sessions[^1] = sessions[^1] with { FileName = value };
                    break;
                case "Events Lost"
                    when sessions.Count > 0 && long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var lost):
                    sessions[^1] = sessions[^1] with { EventsLost = lost };
                    break;
            }
        }

        return sessions;
    }

    /// <summary>The table's headings are translated, so the position of the second one determines where names end.</summary>
    private static List<EtwRunningSession> Table(string[] lines, int rule)
    {
        var heading = lines[rule - 1];
        var second = Column().Match(heading) is { Success: true } gap ? gap.Index + gap.Length : heading.Length;
        return
        [
            .. lines
                .Skip(rule + 1)
                .TakeWhile(line => line.Trim().Length > 0)
                .Where(line => line.Length > second)
                .Select(line => new EtwRunningSession(line[..second].Trim())),
        ];
    }

    [GeneratedRegex(@"^\s*(?<name>[A-Za-z ]+?)\s*:\s(?<value>.*)$")]
    private static partial Regex Field();

    [GeneratedRegex(@"(?<=\S)\s{2,}")]
    private static partial Regex Column();
}
