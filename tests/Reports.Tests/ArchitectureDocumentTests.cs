using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>docs/architecture.md names existing files, and the projects depend on each other as it states.</summary>
public sealed partial class ArchitectureDocumentTests
{
    private static readonly string s_docs = Path.Combine(TestFiles.Root, "docs");

    [Fact]
    public void Every_file_and_folder_that_the_page_names_exists()
    {
        var named = Name()
            .Matches(File.ReadAllText(Path.Combine(s_docs, "architecture.md")))
            .Select(match => match.Groups[1].Value)
            .ToList();

        Assert.InRange(named.Count, 40, 200);
        Assert.All(named, name => Assert.True(Path.Exists(Path.Combine(TestFiles.Root, name)), name));
    }

    [Fact]
    public void The_page_is_short() =>
        Assert.InRange(
            File.ReadAllText(Path.Combine(s_docs, "architecture.md")).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries).Length,
            500,
            1500
        );

    [Fact]
    public void The_analyzer_takes_from_the_recorder_what_also_runs_in_the_suite_and_nothing_else()
    {
        var references = Directory
            .EnumerateFiles(Path.Combine(TestFiles.Root, "Analyzer"), "*.csproj", SearchOption.AllDirectories)
            .SelectMany(project =>
                Reference()
                    .Matches(File.ReadAllText(project))
                    .Select(match => (From: Path.GetFileNameWithoutExtension(project), To: match.Groups[1].Value))
            )
            .ToList();

        Assert.Equal(
            [
                ("CommandLine", "../../Recorder/Workload/Parsing/Parsing.csproj"),
                ("Traces", "../../Recorder/Workload/Marks/Marks.csproj"),
                ("Traces", "../../Recorder/Workload/Naming/Naming.csproj"),
            ],
            references.Where(reference => reference.To.Contains("/Recorder/", StringComparison.Ordinal)).Order()
        );
        Assert.DoesNotContain(references, reference => reference.From == "Foundation");
    }

    /// <summary>A path in a code span: with a slash in the middle or at its end.</summary>
    [GeneratedRegex("`([A-Za-z-]+/[A-Za-z/.]*)`")]
    private static partial Regex Name();

    /// <summary>A project or package that a project references.</summary>
    [GeneratedRegex("<(?:Project|Package)Reference Include=\"([^\"]+)\"")]
    private static partial Regex Reference();
}
