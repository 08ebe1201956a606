using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>esp-analyze as its user sees it: output, error stream, exit code.</summary>
public sealed class CommandTests
{
    [Fact]
    public void Without_a_command_the_summary_is_printed()
    {
        var (code, output, error) = Run(TestFiles.Recording);

        Assert.Equal((0, ""), (code, error));
        Assert.Equal(output, Run("summary", TestFiles.Recording).Output);
        Assert.Contains("19 of 19 runs, nothing lost", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("csv")]
    [InlineData("json")]
    public void As_csv_and_json_the_summary_is_the_table(string format) =>
        Assert.Equal(
            Run("table", TestFiles.Recording, "--format", format).Output,
            Run("summary", TestFiles.Recording, "--format", format).Output
        );

    [Fact]
    public void Columns_of_the_table_are_chosen_by_parts_of_their_headers_and_by_fields()
    {
        var (code, output, _) = Run("table", TestFiles.Recording, "--columns", "median, b/obj,onCpuMs");

        Assert.Equal(0, code);
        Assert.Equal(
            ["Serializer", "Test", "N", "Runs", "Median ms", "B/object", "onCpuMs"],
            output.Split('\n').First(line => line.Contains('│', StringComparison.Ordinal)).Split('│').Select(header => header.Trim())
        );
    }

    [Fact]
    public void An_unknown_column_is_refused_with_similar_names()
    {
        var (code, _, error) = Run("table", TestFiles.Recording, "--columns", "median,gsc");

        Assert.Equal(2, code);
        Assert.Contains("no column 'gsc'", error, StringComparison.Ordinal);
        Assert.Contains("did you mean ", error, StringComparison.Ordinal);
    }

    [Fact]
    public void Runs_end_with_the_difference_from_the_programs_clock() =>
        Assert.Contains(
            "Difference from the program's own clock over 19 runs, median / max of |µs|: start",
            Run("runs", TestFiles.Recording).Output,
            StringComparison.Ordinal
        );

    [Fact]
    public void A_csv_warns_on_the_error_stream()
    {
        var (code, output, error) = Run("--format", "csv", TestFiles.Recording);

        Assert.Equal(0, code);
        Assert.DoesNotContain("Warning", output, StringComparison.Ordinal);
        Assert.Contains("Warning: Broken Serialize N=1: 1 of 1 run failed", error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_damaged_file_is_a_warning_not_an_error()
    {
        using var folder = new TempFolder();
        var bytes = File.ReadAllBytes(TestFiles.Unmarked);
        var (code, output, error) = Run(folder.Write("x.nettrace", bytes[..^1]));

        Assert.Equal((0, ""), (code, error));
        Assert.Contains($"damaged at offset {bytes.Length - 1} of {bytes.Length - 1} bytes", output, StringComparison.Ordinal);
    }

    [Fact]
    public void Unreadable_input_is_exit_code_3()
    {
        using var folder = new TempFolder();
        foreach (
            var path in (string[])
                [
                    folder.Write("empty.nettrace", ""),
                    folder.Write("other.nettrace", "hello"),
                    folder.Path,
                    Path.Combine(folder.Path, "missing.nettrace"),
                ]
        )
        {
            var (code, output, error) = Run(path);
            Assert.Equal((3, ""), (code, output));
            ErrorLines.Check("esp-analyze", error);
        }
    }

    [Theory]
    [InlineData]
    [InlineData("--format", "xml", "x")]
    [InlineData("--unknown", "x")]
    [InlineData("runs")]
    public void Wrong_usage_is_exit_code_2(params string[] arguments) => Assert.Equal(2, Run(arguments).Code);
}
