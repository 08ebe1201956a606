using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>Links of the pages lead to files and headings that exist, and the index of docs/ leads to every page.</summary>
public sealed partial class LinkTests
{
    private static readonly string s_docs = Path.Combine(TestFiles.Root, "docs");

    /// <summary>Pages with links: those at the root, below docs/ and .github/, and the packages' README files.</summary>
    public static TheoryData<string> Pages =>
        [
            .. Directory
                .EnumerateFiles(TestFiles.Root, "*.md")
                .Concat(
                    ((string[])["docs", ".github", "Recorder", "Analyzer", "Profiles"]).SelectMany(folder =>
                        Directory.EnumerateFiles(Path.Combine(TestFiles.Root, folder), "*.md", SearchOption.AllDirectories)
                    )
                )
                .Select(page => Path.GetRelativePath(TestFiles.Root, page))
                .Order(StringComparer.Ordinal),
        ];

    [Theory]
    [MemberData(nameof(Pages))]
    public void Links_lead_to_files_and_headings(string page)
    {
        var path = Path.Combine(TestFiles.Root, page);
        var broken = Link()
            .Matches(Prose(path))
            .Select(match => (File: match.Groups["file"].Value, Heading: match.Groups["heading"].Value))
            .Where(link =>
                Target(path, link.File) is not { } target || (link.Heading.Length > 0 && !Headings(target).Contains(link.Heading))
            )
            .ToList();

        Assert.Empty(broken);
    }

    [Fact]
    public void The_index_leads_to_every_page()
    {
        var index = Path.Combine(s_docs, "README.md");
        var listed = Link().Matches(Prose(index)).Select(match => Target(index, match.Groups["file"].Value)).ToHashSet();

        Assert.All(
            Directory.EnumerateFiles(s_docs, "*.md", SearchOption.AllDirectories).Where(page => page != index),
            page => Assert.Contains(page, listed)
        );
    }

    /// <summary>The full path of a link's target, the page itself for a heading alone; null if it does not exist.</summary>
    private static string? Target(string page, string file) =>
        file.Length == 0 ? page
        : Path.GetFullPath(Path.Combine(Path.GetDirectoryName(page)!, file)) is var target && Path.Exists(target) ? target
        : null;

    /// <summary>The page without its code: brackets in code are no links, a comment there is no heading.</summary>
    private static string Prose(string page) =>
        CodeSpan().Replace(CodeBlock().Replace(File.ReadAllText(page).ReplaceLineEndings("\n"), ""), "");

    /// <summary>Names of a page's headings as GitHub makes them: in lower case, without punctuation, with dashes for blanks.</summary>
    private static HashSet<string> Headings(string page) =>
        [
            .. Heading()
                .Matches(CodeBlock().Replace(File.ReadAllText(page).ReplaceLineEndings("\n"), ""))
                .Select(match => NotInNames().Replace(match.Groups[1].Value.ToLowerInvariant(), "").Replace(' ', '-')),
        ];

    /// <summary>A link into the repository.</summary>
    [GeneratedRegex(@"\]\((?!https?:|mailto:)(?<file>[^)#\s]*)(#(?<heading>[^)\s]+))?\)")]
    private static partial Regex Link();

    [GeneratedRegex(@"(?ms)^ *```.*?^ *```")]
    private static partial Regex CodeBlock();

    [GeneratedRegex("`[^`\n]*`")]
    private static partial Regex CodeSpan();

    [GeneratedRegex("(?m)^#{1,6} (.+?) *$")]
    private static partial Regex Heading();

    [GeneratedRegex(@"[^\p{L}\p{N}\s_-]")]
    private static partial Regex NotInNames();
}
