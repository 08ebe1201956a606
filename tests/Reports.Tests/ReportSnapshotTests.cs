using System.Text.RegularExpressions;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Reports.Tests;

public sealed class ReportSnapshotTests
{
    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Markdown)]
    [InlineData(ReportFormat.Csv)]
    [InlineData(ReportFormat.Json)]
    public void Table_of_the_recording(ReportFormat format) =>
        Check("table", format, (paths, form, output) => ReportPrinter.PrintTable(new TraceRuns(paths), form, output));

    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Markdown)]
    [InlineData(ReportFormat.Csv)]
    [InlineData(ReportFormat.Json)]
    public void Runs_of_the_recording(ReportFormat format) =>
        Check("runs", format, (paths, form, output) => ReportPrinter.PrintRuns(new TraceRuns(paths), form, output));

    [Fact]
    public void Table_of_a_program_without_marks()
    {
        using var output = new StringWriter();
        ReportPrinter.PrintTable(new TraceRuns([TestFiles.Unmarked]), ReportFormat.Table, output);

        Snapshot.Matches("Reports.Tests", "table-unmarked", output.ToString());
    }

    [Theory]
    [InlineData(1, 300)]
    [InlineData(1, 6000)]
    [InlineData(20, 300)]
    [InlineData(20, 6000)]
    public void First_screen_of_a_program_fits_100_columns_and_40_lines_with_the_page_whatever_is_found(int findings, int length)
    {
        var read = new TraceRuns([TestFiles.Unmarked]).Read(RunParts.Findings | RunParts.Stacks);
        var sentence = string.Join(' ', Enumerable.Repeat("word", length / 5));
        var many = Enumerable
            .Range(1, findings)
            .Select(number => new Finding(FindingKind.Hint, "made-up", $"{number} {sentence}; {sentence}") { Advice = sentence });
        using var output = new StringWriter();
        ReportPrinter.Write(
            ReportBuilder.FirstScreen(read with { Result = read.Result with { Findings = [.. many] } }, ReportFormat.Table),
            ReportFormat.Table,
            output
        );

        var lines = output.ToString().TrimEnd().Split(Environment.NewLine);
        Assert.InRange(lines.Length, 10, 39);
        Assert.All(
            lines.Where(line => !line.Contains(TestFiles.Unmarked, StringComparison.Ordinal)),
            line => Assert.InRange(line.Length, 0, 100)
        );
        Assert.Contains(lines, line => line.StartsWith("Hint: 1 word", StringComparison.Ordinal));
        Assert.Equal(findings > 1, lines.Any(line => line.Contains(" more: esp-analyze findings ", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(3, "Command: dotnet csc.dll argument0 argument1 argument2")]
    [InlineData(300, "argument13 … (286 more)")]
    public void A_command_line_takes_two_lines_at_most(int arguments, string shown)
    {
        var read = new TraceRuns([TestFiles.Unmarked]).Read(RunParts.Findings | RunParts.Stacks);
        var recording = RecordingFile.Read(TestFiles.Recording) with
        {
            Command = ["dotnet", "csc.dll", .. Enumerable.Range(0, arguments).Select(number => $"argument{number}")],
        };
        using var output = new StringWriter();
        ReportPrinter.Write(
            ReportBuilder.FirstScreen(
                read with
                {
                    Input = read.Input with { Recordings = [new InputRecording("", "", recording)] },
                },
                ReportFormat.Table
            ),
            ReportFormat.Table,
            output
        );

        var lines = output.ToString().Split(Environment.NewLine);
        var begin = Array.FindIndex(lines, line => line.StartsWith("Command: ", StringComparison.Ordinal));
        Assert.Contains(shown, string.Join(' ', lines[begin..(begin + 2)].Select(line => line.Trim())), StringComparison.Ordinal);
        Assert.InRange(lines.Length, 10, 40);
    }

    [Fact]
    public void First_screen_of_a_program_without_marks()
    {
        using var output = new StringWriter();
        ReportPrinter.PrintFirstScreen(new TraceRuns([TestFiles.Unmarked]), ReportFormat.Table, output);

        // Line breaks depend on the length of the file's path.
        Snapshot.Matches("Reports.Tests", "program-unmarked", Regex.Replace(output.ToString(), "\r?\n {2,}", " "));
    }

    [Fact]
    public void Programs_read_the_table_in_the_first_screen()
    {
        using var table = new StringWriter();
        ReportPrinter.PrintTable(new TraceRuns([TestFiles.Unmarked]), ReportFormat.Json, table);
        using var screen = new StringWriter();
        ReportPrinter.PrintFirstScreen(new TraceRuns([TestFiles.Unmarked]), ReportFormat.Json, screen);

        Assert.Equal(table.ToString(), screen.ToString());
    }

    private static void Check(
        string report,
        ReportFormat format,
        Func<IReadOnlyList<string>, ReportFormat, TextWriter, AnalysisResult> print
    )
    {
        using var output = new StringWriter();
        print([TestFiles.Recording], format, output);

        Snapshot.Matches("Reports.Tests", $"{report}-{format}".ToLowerInvariant(), output.ToString());
    }
}
