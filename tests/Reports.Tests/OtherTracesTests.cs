using System.Text.Json;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>The commands on traces that other tools made (docs/formats.md).</summary>
public sealed class OtherTracesTests
{
    private const string Machine = "others/record-trace.nettrace";
    private const string Perf = "others/perf-record.data";

    [Theory]
    [InlineData(Machine, "table")]
    [InlineData(Machine, "json")]
    [InlineData(Perf, "table")]
    [InlineData(Perf, "csv")]
    public void Stats(string file, string format) => Check("stats", file, format, "--top", "12");

    [Theory]
    [InlineData(Machine, "table", "ProcessMapping")]
    [InlineData(Machine, "json", "#cpu")]
    [InlineData(Perf, "table", "MMAP2")]
    [InlineData(Perf, "json", "SAMPLE")]
    [InlineData("net10/clr.nettrace", "csv", "#GC/Start")]
    public void Events(string file, string format, string id) => Check("events", file, format, "--id", id, "--top", "4");

    [Theory]
    [InlineData(Machine)]
    [InlineData(Perf)]
    public void Every_report_names_the_methods_of_the_program(string file)
    {
        var path = TestFiles.Data(file);
        var rows = JsonDocument.Parse(Run("cpu", path, "--inclusive", "--format", "json").Output).RootElement.GetProperty("rows").EnumerateArray().ToList();
        foreach (var method in (string[])["Mixture.Spin", "Mixture.Copy", "Mixture.Read", "Mixture.Collect"])
            Assert.Equal("TestProgram.dll", Assert.Single(rows, row => row.GetProperty("method").GetString() == method).GetProperty("module").GetString());

        foreach (var command in (string[][])[["summary"], ["cpu", "--tree"], ["causes"], ["findings"], ["table"]])
        {
            var (code, output, error) = Run([command[0], path, .. command[1..]]);
            Assert.True(code == 0, error);
            Assert.Contains("TestProgram", output, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void The_first_screen_of_a_machine_says_how_long_its_program_ran()
    {
        var (code, output, error) = Run(TestFiles.Data(Machine));

        Assert.True(code == 0, error);
        Assert.Contains("TestProgram: 0.37 s, CPU time 387 ms, 106 % of one processor", output, StringComparison.Ordinal);
        Assert.Contains("CPU time by thread group: names of threads not recorded", output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_first_screen_of_a_file_without_switches_has_the_CPU_time_of_its_samples() =>
        Assert.Contains("TestProgram: 0.49 s, CPU time by samples 513 ms, 104 % of one processor", Run(TestFiles.Data(Perf)).Output, StringComparison.Ordinal);

    private static void Check(string command, string file, string format, params string[] options)
    {
        var (code, output, error) = Run([command, TestFiles.Data(file), "--format", format, .. options]);
        Assert.True(code == 0, error);
        Snapshot.Matches("Reports.Tests", $"others-{command}-{Path.GetFileNameWithoutExtension(file)}-{format}", output);
    }
}
