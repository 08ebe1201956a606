using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// Quotations in the documents exist in the sources: messages of the troubleshooting page, commands and options of every page.
/// </summary>
public sealed partial class DocumentTests
{
    private static readonly Lazy<string> s_sources = new(() =>
        string.Join(
            '\n',
            new[] { "Recorder", "Analyzer" }
                .SelectMany(folder => Directory.EnumerateFiles(Path.Combine(Tool.Sources, folder), "*.cs", SearchOption.AllDirectories))
                .Select(File.ReadAllText)
        )
    );

    public static TheoryData<string> Pages =>
        [
            .. Directory
                .GetFiles(Path.Combine(Tool.Sources, "docs"), "*.md", SearchOption.AllDirectories)
                .Concat(((string[])["README.md", "CONTRIBUTING.md"]).Select(page => Path.Combine(Tool.Sources, page)))
                .Select(path => Path.GetRelativePath(Tool.Sources, path))
                .Order(StringComparer.Ordinal),
        ];

    [Fact]
    public void Messages_of_the_troubleshooting_page_are_printed_by_the_programs()
    {
        var page = File.ReadAllText(Path.Combine(Tool.Sources, "docs", "troubleshooting.md"));
        var messages = page.Split('\n')
            .Where(line => line.StartsWith("*Says*", StringComparison.Ordinal))
            .SelectMany(line => Quoted().Matches(line))
            .Select(match => match.Groups[1].Value)
            .ToList();

        Assert.True(messages.Count > 20, $"{messages.Count} messages");
        Assert.All(messages, message => Assert.True(s_sources.Value.Contains(message, StringComparison.Ordinal), message));
    }

    /// <summary>Every command line of a page, in a block or in the text, has a command and options that the program knows.</summary>
    [Theory]
    [MemberData(nameof(Pages))]
    public async Task Commands_of_the_pages_exist_with_their_options(string page)
    {
        var problems = new List<string>();
        foreach (var (tool, arguments) in File.ReadAllLines(Path.Combine(Tool.Sources, page)).SelectMany(Commands))
        {
            var own = arguments.TakeWhile(argument => argument != "--").ToList();
            var help = await HelpAsync(
                tool,
                own.FirstOrDefault(argument => argument.Length > 0 && char.IsAsciiLetterLower(argument[0])) is { } verb && own[0] == verb
                    ? verb
                    : ""
            );
            problems.AddRange(
                own.Where(argument => Option().IsMatch(argument))
                    .Select(option => option.Split('=')[0])
                    .Where(option => !Knows(help, option))
                    .Select(option => $"{tool} {string.Join(' ', arguments)}: {option}")
            );
        }

        Assert.Empty(problems);
    }

    private static readonly Dictionary<string, Task<string>> s_help = [];

    /// <summary>Help of a command; of the default command for other words.</summary>
    private static Task<string> HelpAsync(string tool, string verb)
    {
        lock (s_help)
        {
            if (!s_help.TryGetValue($"{tool} {verb}", out var help))
                s_help[$"{tool} {verb}"] = help = ReadAsync();
            return help;
        }

        async Task<string> ReadAsync()
        {
            var result = await RunAsync(verb.Length > 0 ? [verb, "--help"] : [tool == "esp-record" ? "record" : "table", "--help"]);
            return result.ExitCode == 0 ? result.Output : (await RunAsync([tool == "esp-record" ? "record" : "table", "--help"])).Output;
        }

        Task<ToolResult> RunAsync(string[] arguments) =>
            tool == "esp-record" ? Tool.RecordHereAsync(arguments) : Tool.AnalyzeAsync(arguments);
    }

    /// <summary>Whether an option is in a command's help; the suite's have one dash or two.</summary>
    private static bool Knows(string help, string option) =>
        Regex.IsMatch(help, $@"(?<![\w-])--?{Regex.Escape(option.TrimStart('-'))}(?![\w-])");

    /// <summary>The commands in a line of a page.</summary>
    internal static IEnumerable<(string Tool, string[] Arguments)> Commands(string line)
    {
        foreach (Match match in Command().Matches(line))
        {
            var tool = match.Groups["project"].Value switch
            {
                "Recorder" => "esp-record",
                "Analyzer" => "esp-analyze",
                _ => match.Groups["tool"].Value,
            };
            yield return (tool, match.Groups["arguments"].Value.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        }
    }

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Quoted();

    /// <summary>
    /// In a block up to the comment after it, in a text up to the closing quote; also a command passed to docker, kubectl or sudo.
    /// </summary>
    [GeneratedRegex(
        @"(^(#\s+)?|`)((docker (run|exec)|kubectl exec|sudo) ([^`#]*? )?)?(TMPDIR=\S+ )?((?<tool>esp-record|esp-analyze)|dotnet run -c Release --project (?<project>Recorder|Analyzer) --)(?<arguments>( [^`#|]+?)?)(?=`|\s\s|\s*#|\s*$)"
    )]
    private static partial Regex Command();

    [GeneratedRegex(@"^--?[a-z][a-z0-9-]+(=.*)?$")]
    private static partial Regex Option();
}
