using EtwSerializerProfiler.Workload.Features;

namespace EtwSerializerProfiler.Workload.Tests.Features;

/// <summary>docs/features.md says how every feature is tested, and has a table of all features.</summary>
public sealed class FeatureDocumentTests
{
    private const string Begin = "<!-- written by the test FeatureDocumentTests with UPDATE_SNAPSHOTS=1 -->\n";
    private const string End = "<!-- end -->\n";

    private static readonly string s_path = Path.Combine(Root(), "docs", "features.md");

    [Fact]
    public void Every_feature_has_its_line()
    {
        var document = File.ReadAllText(s_path);
        var start = document.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        var length = document.IndexOf(End, StringComparison.Ordinal) - start;
        var expected =
            "| group | feature | how it is tried |\n|---|---|---|\n"
            + string.Concat(
                FeatureRegistry.All.Select(feature => $"| {feature.Group} | {Escape(feature.Title)} | {Escape(feature.How)} |\n")
            );
        if (Environment.GetEnvironmentVariable("UPDATE_SNAPSHOTS") == "1")
            File.WriteAllText(s_path, document.Remove(start, length).Insert(start, expected));
        else
            Assert.Equal(expected, document.Substring(start, length));
    }

    [Fact]
    public void The_measured_table_has_every_feature()
    {
        var document = File.ReadAllText(s_path);
        foreach (var group in FeatureRegistry.All.GroupBy(feature => feature.Group))
            Assert.Contains(
                $"| Serializer | {string.Join(" | ", group.Select(feature => Escape(feature.Title)))} |",
                document,
                StringComparison.Ordinal
            );
    }

    [Fact]
    public void Keys_and_titles_are_distinct_and_groups_are_together()
    {
        Assert.Equal(FeatureRegistry.All.Count, FeatureRegistry.All.Select(feature => feature.Key).Distinct().Count());
        Assert.Equal(FeatureRegistry.All.Count, FeatureRegistry.All.Select(feature => feature.Title).Distinct().Count());
        Assert.All(FeatureRegistry.All, feature => Assert.DoesNotContain(' ', feature.Key));
        Assert.Equal(FeatureRegistry.All.GroupBy(feature => feature.Group).SelectMany(group => group), FeatureRegistry.All);
    }

    private static string Escape(string text) =>
        string.Concat(
            text.Select(character =>
                "\\`*_<>[]|&#~".Contains(character, StringComparison.Ordinal) ? $"\\{character}" : character.ToString()
            )
        );

    private static string Root()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "EtwSerializerProfiler.sln")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("No solution above the tests.");
        return folder.FullName;
    }
}
