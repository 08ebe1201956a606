using System.Globalization;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Steps;

namespace EtwSerializerProfiler.Sessions.Tests.Etw;

/// <summary>
/// Documented syntax of the tools: the options that our commands may use, their values, and the source pages. Facts from these pages, not
/// their text.
/// </summary>
internal static class ToolSyntax
{
    private const string WptStart =
        "learn.microsoft.com/windows-hardware/test/wpt/start and github.com/MicrosoftDocs/win32 desktop-src/xperf/start.md";
    private const string WptStop = "github.com/MicrosoftDocs/win32 desktop-src/xperf/stop.md";
    private const string WptStackWalk = "github.com/MicrosoftDocs/win32 desktop-src/xperf/stackwalk.md";
    private const string WptMerge = "learn.microsoft.com/windows-hardware/test/wpt/merge";
    private const string WptLoggers = "github.com/MicrosoftDocs/win32 desktop-src/xperf/avoiding-lost-buffers.md";
    private const string Compress = "published practice: google/UIforETW merges with 'xperf -merge in.etl out.etl -compress'";
    private const string Tracelog = "learn.microsoft.com/windows-hardware/drivers/devtest/tracelog-command-syntax";
    private const string TracelogUsage = "usage text of tracelog 10.0.19041.1 (github.com/strontic/xcyclopedia)";
    private const string Wpr = "learn.microsoft.com/windows-hardware/test/wpt/wpr-command-line-options";

    private const string Session = @"(%\w+%|[\w %.-]+)";
    private const string File = @".+\.etl";
    private const string Number = "[0-9]+";
    private const string Guid = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    private const string Hex = "0x[0-9A-F]+";

    /// <summary>
    /// Session names may have any characters, and blanks are quoted; kernel flags as 'xperf -providers k' and 'tracelog -eflag Help' list
    /// them.
    /// </summary>
    private static readonly string s_flags = $"({string.Join('|', KernelEventNames.All.Select(name => name.Flag))})";

    /// <summary>Names of -stackwalk that the documentation lists and we use.</summary>
    private const string StackName =
        "(Profile|CSwitch|ReadyThread|RegOpenKey|RegQueryValue|RegEnumerateKey|RegEnumerateValueKey|VirtualAlloc)";

    /// <summary>(GUID|KnownProviderName)[:Flags[:Level[:'stack']]], joined by plus signs.</summary>
    private static readonly string s_provider = $"{Guid}:{Hex}:0x[1-5](:'stack')?";

    /// <summary>Options by program.</summary>
    public static IReadOnlyDictionary<string, IReadOnlyList<ToolOption>> Options { get; } =
        new Dictionary<string, IReadOnlyList<ToolOption>>
        {
            ["xperf"] =
            [
                new("-start", WptStart, Session),
                new("-on", WptStart, $"({s_flags}([+]{s_flags})*|{s_provider}([+]{s_provider})*)"),
                new("-f", WptStart, File),
                new("-BufferSize", WptStart, Number),
                new("-MinBuffers", WptStart, Number),
                new("-MaxBuffers", WptStart, Number),
                new("-Buffering", WptStart),
                new("-StackWalk", WptStackWalk, $"{StackName}([+]{StackName})*"),
                new("-SetProfInt", WptStart, Number, "cached"),
                new("-flush", WptStart, Session),
                new("-stop", WptStop, Session),
                new("-merge", WptMerge, File + "+"),
                new("-compress", Compress),
                new("-loggers", WptLoggers),
            ],
            ["tracelog"] =
            [
                new("-start", Tracelog, Session),
                new("-stop", Tracelog, Session),
                new("-enableex", Tracelog, Session),
                new("-l", Tracelog),
                new("-f", Tracelog, File),
                new("-b", Tracelog, Number),
                new("-min", Tracelog, Number),
                new("-max", Tracelog, Number),
                new("-UsePerfCounter", Tracelog),
                new("-buffering", Tracelog),
                new("-independent", Tracelog),
                new("-systemlogger", Tracelog),
                new("-nodisk", Tracelog),
                new("-nonet", Tracelog),
                new("-guid", Tracelog, "#" + Guid),
                new("-matchanykw", Tracelog, Hex),
                new("-level", Tracelog, "[1-5]"),
                new("-enableproperty", Tracelog, Number),
                new("-eflag", TracelogUsage, $"{s_flags}([+]{s_flags})*"),
                new("-stackwalk", TracelogUsage, $"{StackName}([+]{StackName})*"),
                new("-StackWalkFilter", Tracelog, "-(in|out)", Number, "N…"),
                new("-EventIdFilter", Tracelog, "-(in|out)", Number, "N…"),
                new("-SetProfInt", Tracelog, Number, "Timer"),
            ],
            ["wpr"] =
            [
                new("-start", Wpr, @".+\.wprp!\w+\.(Verbose|Light)"),
                new("-filemode", Wpr),
                new("-recordtempto", Wpr, ".+"),
                new("-stop", Wpr, File, "[^-].*"),
                new("-skipPdbGen", Wpr),
                new("-compress", Wpr),
                new("-cancel", Wpr),
                new("-status", Wpr),
                new("-merge", Wpr, File + "+"),
                new("-setprofint", Wpr, Number),
                new("-resetprofint", Wpr),
                new("-instancename", Wpr, Session),
            ],
        };

    /// <summary>The undocumented parts of a command; empty for none.</summary>
    public static IReadOnlyList<string> Violations(EtwCommand command)
    {
        if (!Options.TryGetValue(command.Program, out var options))
            return [$"{command.Program}: no such program"];
        var violations = new List<string>();
        var at = 0;
        while (at < command.Arguments.Count)
        {
            var name = command.Arguments[at++];
            var option = options.FirstOrDefault(candidate => candidate.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
            if (option is null)
            {
                violations.Add($"{command.Program}: '{name}' is no option ({command})");
                continue;
            }

            foreach (var value in option.Values)
                Value(command, option, value, ref at, violations);
        }

        violations.AddRange(Rules(command));
        return violations;
    }

    private static void Value(EtwCommand command, ToolOption option, string pattern, ref int at, List<string> violations)
    {
        if (pattern == "N…")
        {
            var count = int.Parse(command.Arguments[at - 1], CultureInfo.InvariantCulture);
            var ids = command.Arguments.Skip(at).Take(count).ToList();
            if (ids.Count != count || ids.Exists(id => !Regex.IsMatch(id, "^[0-9]{1,5}$")) || count is < 1 or > EtwEventFilter.MaxIds)
                violations.Add($"{option.Name}: {count} ids are said, '{string.Join(' ', ids)}' follow ({command})");
            at += count;
            return;
        }

        var repeated = pattern.EndsWith("l+", StringComparison.Ordinal);
        var form = $"^{(repeated ? pattern[..^1] : pattern)}$";
        var found = 0;
        while (at < command.Arguments.Count && Regex.IsMatch(command.Arguments[at], form) && (repeated || found == 0))
        {
            at++;
            found++;
        }

        if (found == 0)
            violations.Add(
                $"{option.Name}: '{(at < command.Arguments.Count ? command.Arguments[at] : "nothing")}' is not of the form {pattern} ({command})"
            );
    }

    /// <summary>Rules about options together, and limits of values.</summary>
    private static IEnumerable<string> Rules(EtwCommand command)
    {
        var arguments = command.Arguments;
        bool Has(string name) => arguments.Contains(name, StringComparer.OrdinalIgnoreCase);
        int? After(string name)
        {
            var at = arguments.ToList().FindIndex(argument => argument.Equals(name, StringComparison.OrdinalIgnoreCase));
            return at < 0 ? null : int.Parse(arguments[at + 1], CultureInfo.InvariantCulture);
        }

        if (command.Program == "tracelog" && Has("-start") && Has("-buffering") && Has("-f"))
            yield return $"tracelog: -f cannot be used with -buffering ({command})";
        if (command.Program == "tracelog" && !Has("-l") && !(Has("-start") || Has("-stop") || Has("-enableex")))
            yield return $"tracelog: no action specified ({command})";
        if (command.Program == "tracelog" && Has("-nodisk") && Has("-systemlogger"))
            yield return $"tracelog: -nodisk is for NT Kernel Logger only ({command})";
        if (command.Program == "xperf" && After("-BufferSize") is < 4 or > 1024)
            yield return $"xperf: -BufferSize is 4 to 1024 KB ({command})";
        if (After("-SetProfInt") is < 1221 or > 10_000_000)
            yield return $"{command.Program}: the interval is 1221 to 10000000 ({command})";
        if ((After("-MinBuffers") ?? After("-min")) > (After("-MaxBuffers") ?? After("-max")))
            yield return $"{command.Program}: more buffers at least than at most ({command})";
        if (command.Program == "wpr" && Has("-instancename") && !arguments[^2].Equals("-instancename", StringComparison.OrdinalIgnoreCase))
            yield return $"wpr: -instancename must be the last option ({command})";
    }
}
