using System.Xml.Linq;
using EtwSerializerProfiler.Analysis.Regions;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Tests.Regions;

/// <summary>The files in wpa-regions/ and the command that writes them: valid by the documented format and rules.</summary>
public sealed class RegionFilesTests
{
    private const string Schema = "regions-of-interest.xsd";

    [Theory]
    [InlineData(RegionFiles.Runs)]
    [InlineData(RegionFiles.Gcs)]
    public void The_files_of_the_repository_are_those_that_the_command_writes(string name)
    {
        using var folder = new TempFolder();
        var (code, output, _) = AnalyzeTool.Run("regions", "-o", Path.Combine(folder.Path, "made"));

        Assert.Equal(0, code);
        Assert.Contains(name, output, StringComparison.Ordinal);
        Assert.Equal(Committed(name), File.ReadAllText(Path.Combine(folder.Path, "made", name)));
    }

    [Theory]
    [InlineData(RegionFiles.Runs)]
    [InlineData(RegionFiles.Gcs)]
    public void They_are_valid_and_name_events_and_fields_that_exist(string name)
    {
        Assert.Empty(SchemaFile.Validate(Schema, Committed(name)));
        Assert.Empty(RegionRules.Check(XDocument.Parse(Committed(name))));
    }

    /// <summary>The schema and the rules reject each of these files, which WPA could not use.</summary>
    [Theory]
    [InlineData(RegionFiles.Runs, "Id=\"3\"", "Id=\"77\"", "no event")]
    [InlineData(RegionFiles.Runs, "Version=\"0\"", "Version=\"1\"", "no event")]
    [InlineData(RegionFiles.Runs, "Id=\"1\"", "Id=\"70000\"", "Id")]
    [InlineData(RegionFiles.Runs, "{3c205442-14fb-5713-c99e-4e4e92f1abe2}", "3c205442-14fb-5713-c99e-4e4e92f1abe2", "Provider")]
    [InlineData(RegionFiles.Runs, "{3c205442-14fb-5713-c99e-4e4e92f1abe2}", "{3c205442-14fb-5713-c99e-4e4e92f1abe3}", "no event")]
    [InlineData(RegionFiles.Runs, "NameField=\"serializer\"", "NameField=\"Serializer\"", "named by field Serializer")]
    [InlineData(RegionFiles.Runs, "FieldName=\"runId\"", "FieldName=\"run\"", "matched by field run")]
    [InlineData(RegionFiles.Runs, "FieldName=\"kind\"", "FieldName=\"Kind\"", "has no field Kind")]
    [InlineData(RegionFiles.Runs, "DoesNotContain", "Lacks", "FieldValueRelationship")]
    [InlineData(RegionFiles.Runs, "Guid=\"{6b5fc316-6870-89b6-9186-30effa7924b6}\"", "", "Guid")]
    [InlineData(RegionFiles.Runs, "Name=\"Runs-All\"", "Name=\"Runs-All-Run\"", "is there 2 times")]
    [InlineData(RegionFiles.Runs, "<Event TID=\"true\" PID=\"true\">", "<Event>", "same process")]
    [InlineData(RegionFiles.Runs, "</Naming>", "</Naming><Color>red</Color>", "Color")]
    [InlineData(RegionFiles.Gcs, "Id=\"1\" Version=\"2\"", "Id=\"1\" Version=\"1\"", "no event")]
    [InlineData(RegionFiles.Gcs, "FieldName=\"Depth\"", "FieldName=\"Generation\"", "has no field Generation")]
    [InlineData(RegionFiles.Gcs, "<Stop>", "<End>", "End")]
    [InlineData(RegionFiles.Gcs, "{f43f5121-7022-8965-be46-d9dc10da4c9f}", "{9e8a7d09-6909-8311-a141-6574fa486a8f}", "is there 2 times")]
    public void A_file_with_an_error_is_refused(string name, string right, string wrong, string error)
    {
        var changed = Committed(name)
            .Replace(right, wrong, StringComparison.Ordinal)
            .Replace(wrong == "<End>" ? "</Stop>" : "\0", "</End>", StringComparison.Ordinal);
        Assert.NotEqual(Committed(name), changed);

        var errors = SchemaFile.Validate(Schema, changed);
        Assert.Contains(
            errors.Count > 0 ? errors : RegionRules.Check(XDocument.Parse(changed)),
            problem => problem.Contains(error, StringComparison.Ordinal)
        );
    }

    [Fact]
    public void A_trace_gives_its_own_serializers_a_group_each()
    {
        using var folder = new TempFolder();
        var (code, _, error) = AnalyzeTool.Run("regions", TestFiles.Recording, "--out", folder.Path);
        Assert.Equal((0, ""), (code, error));

        var file = XDocument.Load(Path.Combine(folder.Path, RegionFiles.Runs));
        Assert.Empty(RegionRules.Check(file));
        Assert.Equal(
            ["All runs", "Broken", "Exceptions", "Jit", "Json", "Locks", "Trees"],
            file.Descendants("RegionRoot").Single().Elements("Region").Select(region => (string)region.Attribute("FriendlyName")!)
        );
    }

    [Fact]
    public void A_serializer_of_any_name_makes_a_valid_file()
    {
        using var text = new StringWriter();
        RegionFile.Write(RunRegions.Create(["All", "<A&B> \"quoted\"", "Ü"]), text, "a comment");

        Assert.Empty(SchemaFile.Validate(Schema, text.ToString()));
        Assert.Empty(RegionRules.Check(XDocument.Parse(text.ToString())));
    }

    [Fact]
    public void A_trace_without_marks_and_a_folder_that_cannot_be_made_are_errors()
    {
        using var folder = new TempFolder();
        var (code, _, error) = AnalyzeTool.Run("regions", TestFiles.Unmarked, "--out", folder.Path);
        Assert.Equal(3, code);
        Assert.Contains("RunStart", error, StringComparison.Ordinal);

        (code, _, error) = AnalyzeTool.Run("regions", "--out", Path.Combine(folder.Write("file", []), "below"));
        Assert.Equal(4, code);
        Assert.Contains("choose another folder with --out", error, StringComparison.Ordinal);
    }

    /// <summary>For the events that the option names: by provider, id and version, as in the trace.</summary>
    [Fact]
    public void Runs_that_events_delimit_are_regions()
    {
        const string Provider = "EspTest-Spans",
            Events = $"{Provider}/Request";
        var trace = TestFiles.Data("others/spans.nettrace");
        using var folder = new TempFolder();
        var (code, _, error) = AnalyzeTool.Run("regions", trace, "--runs", Events, "-o", folder.Path);
        Assert.True(code == 0, error);
        var file = File.ReadAllText(Path.Combine(folder.Path, RegionFiles.Runs));
        Assert.Empty(SchemaFile.Validate(Schema, file));

        var runs = TraceInputReader.Open([TracePart.With(trace, Events)]).Processes[0].EventRuns!;
        var found = new RegionInterpreter(
            XDocument.Parse(file),
            new Dictionary<Guid, string> { [runs.Kinds[0].Provider] = Provider }
        ).Apply(RegionEvent.OfNetTrace(trace));

        // WPA's rules do not say which of several open begins an end belongs to: runs that do not contain each other are certain.
        var clock = TraceInputReader.Open([trace]).Processes[0].Sources[0].Clock;
        var alone = runs
            .Runs.Where(run =>
                run.ThreadId is not null && !runs.Runs.Any(other => other != run && other.Start < run.Stop && run.Start < other.Stop)
            )
            .ToList();
        Assert.NotEmpty(alone);
        foreach (var run in alone)
            Assert.Contains(
                found.Instances,
                region =>
                    region.Start.Thread == run.ThreadId
                    && Math.Abs(region.Start.TimeMs - clock.SinceOriginMilliseconds(run.Start)) < 0.001
                    && Math.Abs(region.Stop.TimeMs - clock.SinceOriginMilliseconds(run.Stop)) < 0.001
            );
    }

    [Theory]
    [InlineData(2, "no trace is named", "--runs", "EspTest-Spans/Request")]
    [InlineData(2, "does not name events", "TRACE", "--runs", "nonsense")]
    [InlineData(3, "all activities have the same id", "TRACE", "--runs", "activity:Ship")]
    [InlineData(3, "regions cover the whole trace", "TRACE#to=1")]
    [InlineData(2, "did you mean EspTest-Spans/Request", "TRACE#runs=EspTest-Spans/Requst")]
    public void Runs_that_cannot_be_regions_are_an_error(int expected, string text, params string[] arguments)
    {
        using var folder = new TempFolder();
        var (code, _, error) = AnalyzeTool.Run([
            "regions",
            .. arguments.Select(argument => argument.Replace("TRACE", TestFiles.Data("others/spans.nettrace"), StringComparison.Ordinal)),
            "-o",
            folder.Path,
        ]);

        Assert.True((code, Directory.GetFiles(folder.Path).Length) == (expected, 0), error);
        Assert.Contains(text, error, StringComparison.Ordinal);
    }

    private static string Committed(string name) =>
        File.ReadAllText(Path.Combine(TestFiles.Root, "wpa-regions", name)).ReplaceLineEndings("\n");
}
