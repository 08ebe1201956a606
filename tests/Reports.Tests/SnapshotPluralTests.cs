using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>The tools print one thing in the singular: no "1 runs".</summary>
public sealed partial class SnapshotPluralTests
{
    /// <summary>Words that end in s and are not plural.</summary>
    private static readonly string[] s_singular = ["ms", "is", "was", "s", "has"];

    [Theory]
    [InlineData("Reports.Tests")]
    [InlineData("Recorder.Tests")]
    [InlineData("Sessions.Tests")]
    public void One_thing_is_not_several(string project)
    {
        var files = Directory.GetFiles(Path.Combine(TestFiles.Root, "tests", project, "Snapshots"), "*.txt");
        var wrong = files
            .Where(file => !file.EndsWith(".received.txt", StringComparison.Ordinal))
            .SelectMany(file =>
                One()
                    .Matches(File.ReadAllText(file))
                    .Where(match => !s_singular.Contains(match.Groups[1].Value))
                    .Select(match => $"{Path.GetFileName(file)}: {match.Value}")
            );

        Assert.NotEmpty(files);
        Assert.Empty(wrong);
    }

    [GeneratedRegex(@"(?<![\d.,=])\b1 ([a-z]+s)\b")]
    private static partial Regex One();
}
