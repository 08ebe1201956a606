using System.Text;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Analyzer.Commands;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Recorder.Commands;

namespace EtwSerializerProfiler.Configuration.Tests;

/// <summary>Options, schema, the file that init writes and the page of the documentation agree.</summary>
public sealed partial class SchemaTests
{
    private static readonly string s_path = Path.GetFullPath("/x/esp.json");

    private static string SchemaPath => Path.Combine(TestFiles.Root, "docs", ConfigurationSchema.FileName);

    private static string Template => ConfigurationTemplate.Write(ConfigurationSchema.Shipped, ConfigurationSchema.FileName);

    /// <summary>The commented keys of the template: the file with one of them made active.</summary>
    public static TheoryData<string> Keys =>
        [
            .. ConfigurationSchema.Shipped.SectionNames.SelectMany(section =>
                ConfigurationSchema.Shipped.KeysOf(section).Select(key => $"{section}.{key}")
            ),
        ];

    [Fact]
    public void The_committed_schema_is_that_of_the_options()
    {
        var written = SchemaWriter.Write(Tools.Sections);
        if (Environment.GetEnvironmentVariable("UPDATE_SNAPSHOTS") == "1")
            File.WriteAllText(SchemaPath, written);

        Assert.Equal(written, File.ReadAllText(SchemaPath), ignoreLineEndingDifferences: true);
    }

    [Fact]
    public void The_schema_in_the_tools_is_the_committed_one() =>
        Assert.Equal(File.ReadAllText(SchemaPath), ConfigurationSchema.Shipped.Text, ignoreLineEndingDifferences: true);

    [Fact]
    public void Every_option_is_a_key_of_one_section()
    {
        var sections = Tools.Sections;
        var record = new RecordCommand([]).Options.Where(option => !option.Hidden).Select(option => option.Name).Except(Tools.OfOneCall);
        var gate = Tools
            .Gate(RootCommandFactory.Create())
            .Options.Where(option => !option.Hidden)
            .Select(option => option.Name)
            .Except(Tools.OfOneCall);

        Assert.Equal(
            record.Order(StringComparer.Ordinal),
            sections
                .Where(section => section.Name != "gate")
                .SelectMany(section => section.Keys)
                .Select(key => key.Option.Name)
                .Order(StringComparer.Ordinal)
        );
        Assert.Equal(
            gate.Order(StringComparer.Ordinal),
            sections.Single(section => section.Name == "gate").Keys.Select(key => key.Option.Name).Order(StringComparer.Ordinal)
        );
        Assert.All(sections, section => Assert.Equal(section.Keys.Count, section.Keys.Select(key => key.Name).Distinct().Count()));
        Assert.Equal(["command", .. sections.Select(section => section.Name)], ConfigurationSchema.Shipped.SectionNames);
    }

    [Fact]
    public void Every_option_has_a_description_and_a_form_that_the_file_can_hold()
    {
        foreach (var key in Tools.Sections.SelectMany(section => section.Keys))
        {
            Assert.True(HelpNotes.DescriptionOf(key.Option).Length > 0, key.Name);

            // A false flag is left out of the command line, so no flag may be on by default.
            if (key.Shape.Kind == ValueKind.Flag && key.Option.HasDefaultValue)
                Assert.Equal(false, key.Option.GetDefaultValue());
        }
    }

    [Theory]
    [InlineData("--out")]
    [InlineData("--trigger-file")]
    [InlineData("-keep")]
    [InlineData("-data")]
    [InlineData("-plugin")]
    [InlineData("--baseline")]
    [InlineData("--junit")]
    [InlineData("--markdown")]
    [InlineData("--symbols")]
    public void Paths_are_known_as_such(string option) => Assert.Equal(ValueKind.Path, KeyOf(option).Shape.Kind);

    [Theory]
    [InlineData("-n", ValueKind.Whole, true)]
    [InlineData("-seed", ValueKind.Whole, false)]
    [InlineData("-test", ValueKind.Choice, true)]
    [InlineData("-verify", ValueKind.Flag, false)]
    [InlineData("--sampler", ValueKind.Choice, false)]
    [InlineData("--dump-time", ValueKind.Number, false)]
    [InlineData("--max-slowdown", ValueKind.Percent, false)]
    [InlineData("--metric", ValueKind.Text, true)]
    public void Values_have_the_form_of_the_option(string option, ValueKind kind, bool isList)
    {
        var shape = KeyOf(option).Shape;

        Assert.Equal((kind, isList), (shape.Kind, shape.IsList));
    }

    [Theory]
    [InlineData("--sample-rate", "sampleRate")]
    [InlineData("-n", "n")]
    [InlineData("--nt-kernel-logger", "ntKernelLogger")]
    public void A_key_is_the_option_without_dashes(string option, string key) => Assert.Equal(key, ConfigurationKey.NameOf(option));

    [Fact]
    public void The_file_of_init_is_valid_and_configures_nothing()
    {
        var contents = Check(Template);

        Assert.Empty(SchemaChecker.Validate(ConfigurationSchema.Shipped.Text, Template));
        Assert.Empty(contents.Options);
        Assert.Empty(contents.Command);
        Assert.All(
            Template
                .Split('\n')
                .Where(line =>
                    line.TrimStart().StartsWith("// ", StringComparison.Ordinal) && !line.Contains("\": ", StringComparison.Ordinal)
                ),
            line => Assert.InRange(line.Length, 1, 120)
        );
    }

    [Theory]
    [MemberData(nameof(Keys))]
    public void Each_key_of_the_file_of_init_is_legal_when_its_comment_is_taken_away(string key)
    {
        var (section, name) = (key.Split('.')[0], key.Split('.')[1]);
        var text = new Regex($$"""(?<="{{section}}": \{[^}]*?)// (?="{{name}}": )""").Replace(Template, "", 1);

        Assert.NotEqual(Template, text);
        Assert.Empty(SchemaChecker.Validate(ConfigurationSchema.Shipped.Text, text));
        if (!HasDefault(section, name))
            return; // the kind of the value, in capitals
        var read = Check(text);
        Assert.Equal(name, Assert.Single(read.Options).Key.Name);
    }

    [Fact]
    public void The_schema_refuses_what_the_reader_refuses()
    {
        foreach (
            var text in (string[])
                [
                    "{\"suite\": {\"runs\": \"7\"}}",
                    "{\"suite\": {\"n\": []}}",
                    "{\"suit\": {}}",
                    "{\"record\": {\"sampler\": \"perv\"}}",
                    "{\"gate\": {\"maxSlowdown\": \"much\"}}",
                    "{\"command\": []}",
                    "{\"suite\": {\"seed\": \"some\"}}",
                    "[]",
                ]
        )
        {
            Assert.NotEmpty(SchemaChecker.Validate(ConfigurationSchema.Shipped.Text, text));
            Assert.Throws<ConfigurationException>(() => Check(text));
        }
    }

    [Fact]
    public void Examples_of_the_documentation_are_valid()
    {
        var page = File.ReadAllText(Path.Combine(TestFiles.Root, "docs", "configuration.md"));
        var examples = Json().Matches(page).Select(match => match.Groups[1].Value).ToList();

        Assert.NotEmpty(examples);
        Assert.All(examples, example => Assert.Empty(SchemaChecker.Validate(ConfigurationSchema.Shipped.Text, example)));
        Assert.All(examples, example => Check(example));
    }

    private static FileContents Check(string text)
    {
        var file = ConfigurationFile.Parse(s_path, Encoding.UTF8.GetBytes(text));
        return FileContents.Check(file, Tools.Sections);
    }

    private static bool HasDefault(string section, string key)
    {
        using var schema = System.Text.Json.JsonDocument.Parse(ConfigurationSchema.Shipped.Text);
        return schema
            .RootElement.GetProperty("properties")
            .GetProperty(section)
            .GetProperty("properties")
            .GetProperty(key)
            .TryGetProperty("default", out _);
    }

    private static ConfigurationKey KeyOf(string option) =>
        Tools.Sections.SelectMany(section => section.Keys).First(key => key.Option.Name == option);

    [GeneratedRegex(@"```jsonc?\n(\{.*?)```", RegexOptions.Singleline)]
    private static partial Regex Json();
}
