using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Reports.Sources;

namespace EtwSerializerProfiler.Reports.Tests;

public sealed class ReportSnapshotTests
{
    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Markdown)]
    [InlineData(ReportFormat.Csv)]
    [InlineData(ReportFormat.Json)]
    public void Table_of_the_recording(ReportFormat format) => Check("table", format, (paths, form, output) => ReportPrinter.PrintTable(new TraceRuns(paths), form, output));

    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Markdown)]
    [InlineData(ReportFormat.Csv)]
    [InlineData(ReportFormat.Json)]
    public void Runs_of_the_recording(ReportFormat format) => Check("runs", format, (paths, form, output) => ReportPrinter.PrintRuns(new TraceRuns(paths), form, output));

    [Fact]
    public void Table_of_a_program_without_marks()
    {
        using var output = new StringWriter();
        ReportPrinter.PrintTable(new TraceRuns([TestFiles.Unmarked]), ReportFormat.Table, output);

        Snapshot.Matches("Reports.Tests", "table-unmarked", output.ToString());
    }

    [Fact]
    public void First_screen_of_a_program_without_marks()
    {
        using var output = new StringWriter();
        ReportPrinter.PrintFirstScreen(new TraceRuns([TestFiles.Unmarked]), ReportFormat.Table, output);

        Snapshot.Matches("Reports.Tests", "program-unmarked", output.ToString());
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

    private static void Check(string report, ReportFormat format, Func<IReadOnlyList<string>, ReportFormat, TextWriter, AnalysisResult> print)
    {
        using var output = new StringWriter();
        print([TestFiles.Recording], format, output);

        Snapshot.Matches("Reports.Tests", $"{report}-{format}".ToLowerInvariant(), output.ToString());
    }
}
