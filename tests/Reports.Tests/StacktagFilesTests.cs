namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>The files in stacktags/ and the command that writes them.</summary>
public sealed class StacktagFilesTests
{
    [Theory]
    [InlineData(StacktagFiles.Serializers)]
    [InlineData(StacktagFiles.Causes)]
    public void The_files_of_the_repository_are_those_that_the_command_writes(string name)
    {
        using var folder = new TempFolder();
        var (code, output, _) = AnalyzeTool.Run("stacktags", "--out", Path.Combine(folder.Path, "made"));

        Assert.Equal(0, code);
        Assert.Contains(name, output, StringComparison.Ordinal);
        Assert.Equal(
            File.ReadAllText(Path.Combine(TestFiles.Root, "stacktags", name)).ReplaceLineEndings("\n"),
            File.ReadAllText(Path.Combine(folder.Path, "made", name))
        );
    }

    [Fact]
    public void Files_that_were_written_are_read_as_the_tags_they_were_made_of()
    {
        using var folder = new TempFolder();

        Assert.Equal(
            StacktagFiles.Read([]).Tags.Select(tag => tag.Path),
            StacktagFiles.Read(StacktagFiles.Write(folder.Path)).Tags.Select(tag => tag.Path)
        );
    }

    [Fact]
    public void A_folder_that_cannot_be_made_is_4_and_says_what_to_do()
    {
        using var folder = new TempFolder();
        var (code, _, error) = AnalyzeTool.Run("stacktags", "--out", Path.Combine(folder.Write("file", []), "below"));

        Assert.Equal(4, code);
        Assert.Contains("choose another folder with --out", error, StringComparison.Ordinal);
    }
}
