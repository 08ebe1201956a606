using System.Security.Cryptography;
using System.Text;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>
/// The README is read on one screen after the other: it stays short, its commands are those of CI, and its picture shows the current page.
/// </summary>
public sealed class ReadmeTests
{
    private static readonly string[] s_lines = File.ReadAllLines(Path.Combine(TestFiles.Root, "README.md"));

    [Fact]
    public void It_has_at_most_120_lines_of_120_columns()
    {
        Assert.InRange(s_lines.Length, 50, 120);
        Assert.All(s_lines, line => Assert.True(line.Length <= 120, line));
    }

    [Fact]
    public void Its_first_commands_record_and_test()
    {
        var commands = s_lines
            .SkipWhile(line => line != "```")
            .Skip(1)
            .TakeWhile(line => line != "```")
            .Select(line => line.Split('#')[0].TrimEnd());

        Assert.Equal(["dotnet run -c Release --project Recorder", "dotnet test"], commands);
        Assert.Contains(
            File.ReadAllLines(Path.Combine(TestFiles.Root, ".ci", "run")),
            line => line.StartsWith("dotnet test \"$@\"", StringComparison.Ordinal)
        );
    }

    /// <summary>scripts/report-picture.sh draws the picture and writes the hash of the style and scripts that it showed.</summary>
    [Fact]
    public void Its_picture_is_of_todays_design_and_small()
    {
        var images = Path.Combine(TestFiles.Root, "docs", "images");
        var html = Path.Combine(TestFiles.Root, "Analyzer", "Reports", "Html");
        var design = string.Concat(
            ((string[])["*.css", "*.js"])
                .SelectMany(pattern => Directory.GetFiles(html, pattern).Order(StringComparer.Ordinal))
                .Select(file => File.ReadAllText(file).ReplaceLineEndings("\n"))
        );

        Assert.True(
            Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(design)))
                == File.ReadAllText(Path.Combine(images, "report.design")).Trim(),
            "the page's style or script has changed since docs/images/report.png was drawn: record the suite and run scripts/report-picture.sh RECORDING"
        );
        Assert.InRange(new FileInfo(Path.Combine(images, "report.png")).Length, 10_000, 200_000);
    }
}
