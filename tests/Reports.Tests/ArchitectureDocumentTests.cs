using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>docs/architecture.md names files to touch, and pages link to each other: both must exist.</summary>
public sealed partial class ArchitectureDocumentTests
{
    private static readonly string s_docs = Path.Combine(TestFiles.Root, "docs");

    [Fact]
    public void Every_file_and_folder_that_the_page_names_exists()
    {
        var named = Name().Matches(File.ReadAllText(Path.Combine(s_docs, "architecture.md"))).Select(match => match.Groups[1].Value).ToList();

        Assert.InRange(named.Count, 40, 200);
        Assert.All(named, name => Assert.True(Path.Exists(Path.Combine(TestFiles.Root, name)), name));
    }

    [Fact]
    public void The_page_is_short() => Assert.InRange(File.ReadAllText(Path.Combine(s_docs, "architecture.md")).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries).Length, 500, 1500);

    [Fact]
    public void Every_page_that_another_one_links_to_exists()
    {
        var links = Directory.EnumerateFiles(s_docs, "*.md", SearchOption.AllDirectories)
            .SelectMany(page => Link().Matches(File.ReadAllText(page)).Select(match => (Page: page, Target: match.Groups[1].Value))).ToList();

        Assert.NotEmpty(links);
        Assert.All(links, link => Assert.True(Path.Exists(Path.Combine(Path.GetDirectoryName(link.Page)!, link.Target)), $"{link}"));
    }

    /// <summary>A path in a code span: with a slash in the middle or at its end.</summary>
    [GeneratedRegex("`([A-Za-z-]+/[A-Za-z/.]*)`")]
    private static partial Regex Name();

    /// <summary>The target of a link into the repository, without its fragment.</summary>
    [GeneratedRegex(@"\]\((?!http|#)([^)#\s]+)")]
    private static partial Regex Link();
}
