using System.Text.RegularExpressions;
using YamlDotNet.RepresentationModel;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Files for contributors: the issue forms have GitHub's format, and CONTRIBUTING.md shows code that exists.</summary>
public sealed partial class ContributionFileTests
{
    public static TheoryData<string> Forms =>
        [
            .. Directory
                .GetFiles(Path.Combine(Tool.Sources, ".github", "ISSUE_TEMPLATE"), "*.yml")
                .Select(path => Path.GetFileName(path))
                .Where(name => name != "config.yml")
                .Order(StringComparer.Ordinal),
        ];

    [Theory]
    [MemberData(nameof(Forms))]
    public void Issue_forms_have_a_name_and_labelled_fields(string form)
    {
        using var text = File.OpenText(Path.Combine(Tool.Sources, ".github", "ISSUE_TEMPLATE", form));
        var stream = new YamlStream();
        stream.Load(text);
        var root = Assert.Single(stream.Documents).RootNode;

        Assert.NotEmpty(Text(root["name"]));
        Assert.NotEmpty(Text(root["description"]));
        var fields = Assert.IsType<YamlSequenceNode>(root["body"]).Children.Where(field => Text(field["type"]) != "markdown").ToList();
        Assert.NotEmpty(fields);
        Assert.All(fields, field => Assert.NotEmpty(Text(field["attributes"]["label"])));
        Assert.Equal(fields.Count, fields.Select(field => Text(field["id"])).Distinct().Count());
    }

    /// <summary>An action is pinned to a commit: a tag can be moved to other code later.</summary>
    [Theory]
    [InlineData("ci.yml")]
    [InlineData("release.yml")]
    public void Workflows_can_be_read_and_pin_their_actions(string workflow)
    {
        using var text = File.OpenText(Path.Combine(Tool.Sources, ".github", "workflows", workflow));
        var stream = new YamlStream();
        stream.Load(text);
        var jobs = Assert.IsType<YamlMappingNode>(Assert.Single(stream.Documents).RootNode["jobs"]).Children.Values;

        var steps = jobs.SelectMany(job => Assert.IsType<YamlSequenceNode>(job["steps"]).Children.Cast<YamlMappingNode>()).ToList();
        Assert.NotEmpty(steps);
        Assert.All(steps, step => Assert.True(step.Children.ContainsKey("run") || Pinned().IsMatch(Text(step["uses"])), step.ToString()));
    }

    /// <summary>Each example names its file above it; lines may be broken differently than in the file, and some may be omitted.</summary>
    [Fact]
    public void Examples_of_style_are_in_the_code()
    {
        var examples = Example().Matches(File.ReadAllText(Path.Combine(Tool.Sources, "CONTRIBUTING.md")).ReplaceLineEndings("\n")).ToList();

        Assert.Equal(3, examples.Count);
        Assert.All(
            examples,
            example =>
            {
                var code = Words(File.ReadAllText(Path.Combine(Tool.Sources, example.Groups["file"].Value)));
                Assert.All(
                    example.Groups["code"].Value.Split('\n'),
                    line => Assert.Contains(Words(line.Split(", // ")[0]), code, StringComparison.Ordinal)
                );
            }
        );
    }

    /// <summary>A text between quotes may be longer: messages are found by searching for them.</summary>
    [Fact]
    public void Lines_of_code_have_at_most_140_columns()
    {
        // artifacts/ is not entered: a prefix of Wine (tests/wine) in it has links to the whole machine.
        var files = Directory
            .EnumerateDirectories(Tool.Sources)
            .Where(folder => Path.GetFileName(folder) is not "artifacts")
            .SelectMany(folder => Directory.EnumerateFiles(folder, "*.*", SearchOption.AllDirectories))
            .Where(path => Path.GetExtension(path) is ".cs" or ".js" or ".css")
            .Where(path => !Generated().IsMatch(Path.GetRelativePath(Tool.Sources, path).Replace('\\', '/')))
            .ToList();

        Assert.True(files.Count > 1000, $"only {files.Count} files of code were found");
        Assert.Empty(files.SelectMany(LongLines));
    }

    private static IEnumerable<string> LongLines(string path)
    {
        var isRawString = false;
        foreach (var (number, line) in File.ReadLines(path).Index())
        {
            if (Regex.Count(line, "\"\"\"") % 2 == 1)
                isRawString = !isRawString;
            else if (!isRawString && line.Length - Math.Max(line.LastIndexOf('"') - line.IndexOf('"'), 0) > 140)
                yield return $"{path}:{number + 1}: {line.Length} columns";
        }
    }

    /// <summary>A text without the marks of a doc comment and with single blanks.</summary>
    private static string Words(string text) => Blanks().Replace(text.Replace("///", "", StringComparison.Ordinal), " ").Trim();

    private static string Text(YamlNode node) => Assert.IsType<YamlScalarNode>(node).Value ?? "";

    [GeneratedRegex(@"`(?<file>[A-Za-z/]+\.cs)`:\n\n```csharp\n(?<code>.*?)\n```", RegexOptions.Singleline)]
    private static partial Regex Example();

    [GeneratedRegex("^[^@]+@[0-9a-f]{40}$")]
    private static partial Regex Pinned();

    [GeneratedRegex("(^|/)(artifacts|bin|obj)/")]
    private static partial Regex Generated();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Blanks();
}
