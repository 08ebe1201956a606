using System.Text.Json;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>Parts of traces, named with their paths.</summary>
public sealed class TraceRangeTests
{
    private static readonly string s_machine = TestFiles.Data("others/record-trace.nettrace");

    [Theory]
    [InlineData("others/record-trace.nettrace", 0.2)]
    [InlineData("others/perf-record.data", 0.25)]
    public void Parts_add_up_to_the_whole(string file, double at)
    {
        var path = TestFiles.Data(file);
        var (whole, first, second) = (
            Samples(path),
            Samples(FormattableString.Invariant($"{path}#to={at}")),
            Samples(FormattableString.Invariant($"{path}#from={at}"))
        );

        Assert.True(first > 50 && second > 50);
        Assert.Equal(whole, first + second);
    }

    [Fact]
    public void A_part_is_one_run_of_the_process_whatever_it_marks()
    {
        var path = TestFiles.Data("net10/clr.nettrace");
        var row = Assert.Single(Rows("table", path + "#from=0.1,to=0.4"));

        Assert.Equal((1, 300.0), (row.GetProperty("runs").GetInt32(), Math.Round(row.GetProperty("wallMedianMs").GetDouble(), 3)));

        // Counted with TraceEvent: GC/Start events between 100 and 400 ms.
        var events = JsonDocument
            .Parse(Run("events", path, "--id", "#GC/Start", "--from", "0.1", "--to", "0.4", "--format", "json").Output)
            .RootElement.GetProperty("events")
            .GetArrayLength();
        Assert.Equal(
            events,
            row.GetProperty("gen0Gcs").GetInt32() + row.GetProperty("gen1Gcs").GetInt32() + row.GetProperty("gen2Gcs").GetInt32()
        );
    }

    [Fact]
    public void Two_parts_are_compared()
    {
        var (code, output, error) = Run("diff", s_machine + "#to=0.15", s_machine + "#from=0.15,to=0.3");

        Assert.True(code is 0 or 1, error);
        Assert.Contains("Wall time", output, StringComparison.Ordinal);
        Assert.Equal("Runs", output.Split('\n').First(line => line.Contains('│', StringComparison.Ordinal)).Split('│')[0].Trim());
    }

    [Theory]
    [InlineData("#from=x", "a number of seconds")]
    [InlineData("#to=99999999999", "a number of seconds")]
    [InlineData("#from=3,to=2", "it ends before it starts")]
    [InlineData("#from=1,until=2", "found 'until=2'")]
    public void An_invalid_part_is_answered_with_how_to_write_one(string part, string found)
    {
        var (code, _, error) = Run("cpu", s_machine + part);

        Assert.Equal(3, code);
        Assert.Contains(found, error, StringComparison.Ordinal);
        Assert.Contains("PATH#from=2,to=5.5", error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_part_without_events_is_a_warning_that_says_where_they_are()
    {
        var (code, output, error) = Run("summary", s_machine + "#from=900");

        Assert.Equal(0, code);
        Assert.Contains(
            "TestProgram: no events in the named part of the trace; its events are between second 0.0",
            (output + error).ReplaceLineEndings(" "),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_file_with_such_a_name_is_a_file()
    {
        using var folder = new TempFolder();
        var path = Path.Combine(folder.Path, "x#from=1.nettrace");
        File.Copy(s_machine, path);

        Assert.Equal(Samples(s_machine), Samples(path));
    }

    private static int Samples(string path) =>
        JsonDocument
            .Parse(Run("cpu", path, "--format", "json").Output)
            .RootElement.GetProperty("summary")
            .GetProperty("samples")
            .GetInt32();

    private static List<JsonElement> Rows(string command, string path) =>
        [.. JsonDocument.Parse(Run(command, path, "--format", "json").Output).RootElement.GetProperty("rows").EnumerateArray()];
}
