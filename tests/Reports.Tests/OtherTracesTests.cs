using System.Globalization;
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
        var rows = JsonDocument
            .Parse(Run("cpu", path, "--inclusive", "--format", "json").Output)
            .RootElement.GetProperty("rows")
            .EnumerateArray()
            .ToList();
        foreach (var method in (string[])["Mixture.Spin", "Mixture.Copy", "Mixture.Read", "Mixture.Collect"])
            Assert.Equal(
                "TestProgram.dll",
                Assert.Single(rows, row => row.GetProperty("method").GetString() == method).GetProperty("module").GetString()
            );

        foreach (
            var command in (string[][])
                [
                    ["summary"],
                    ["cpu", "--tree"],
                    ["causes"],
                    ["findings"],
                    ["table"],
                ]
        )
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
        Assert.Contains("CPU time by thread group: thread names not recorded", output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_first_screen_of_a_file_without_switches_has_the_CPU_time_of_its_samples() =>
        Assert.Contains(
            "TestProgram: 0.49 s, CPU time by samples 513 ms, 104 % of one processor",
            Run(TestFiles.Data(Perf)).Output,
            StringComparison.Ordinal
        );

    [Fact]
    public void Events_of_NetTrace_6_show_activities_trace_and_labels()
    {
        var (activity, related) = (new Guid("26F353D1-C0C8-45C1-A0CF-7C29EAE6DC7F"), new Guid("E1D6B9EB-84F8-4908-8FA7-FA63D5F02849"));
        var labels = new LabelBytes()
            .Activity(activity)
            .Related(related)
            .Trace([.. Enumerable.Range(0xA0, 16).Select(i => (byte)i)])
            .Span(255)
            .Text("route", "/orders")
            .Number("tenant", -5);
        using var folder = new TempFolder();
        var path = folder.Write(
            "x.nettrace",
            new NetTrace6Bytes()
                .EventType(1, "My-App", 1, "Order")
                .Thread(2, 84, 12)
                .Labels(1, labels)
                .Events(isCompressed: true, (1, 2, 2_000, 1, 7), (1, 2, 3_000, 0, 8))
                .ToArray()
        );

        const string Ids = "26f353d1-c0c8-45c1-a0cf-7c29eae6dc7f",
            Related = "e1d6b9eb-84f8-4908-8fa7-fa63d5f02849",
            Trace = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf";
        Assert.Contains(
            $"My-App/Order  Number=7; activity={Ids}; related={Related}; trace={Trace}; span=00000000000000ff; route=/orders; tenant=-5{Environment.NewLine}",
            Run("events", path).Output,
            StringComparison.Ordinal
        );
        var csv = Run("events", path, "--format", "csv").Output.ReplaceLineEndings("\n");
        Assert.Contains($",Number=7,{Ids},{Related},{Trace},00000000000000ff,route=/orders; tenant=-5\n", csv, StringComparison.Ordinal);
        Assert.Contains(",Number=8,,,,,\n", csv, StringComparison.Ordinal);
        var events = JsonDocument.Parse(Run("events", path, "--format", "json").Output).RootElement.GetProperty("events");
        Assert.Equal(
            (Trace, "00000000000000ff"),
            (events[0].GetProperty("traceId").GetString(), events[0].GetProperty("spanId").GetString())
        );
        Assert.Equal("""{"route":"/orders","tenant":-5}""", JsonSerializer.Serialize(events[0].GetProperty("labels")));
        Assert.False(events[1].TryGetProperty("labels", out _));
    }

    public static TheoryData<string, string> Exports =>
        new()
        {
            { Machine, "etl" },
            { Machine, "nettrace" },
            { Perf, "etl" },
            { Perf, "nettrace" },
        };

    [Theory]
    [MemberData(nameof(Exports))]
    public void Reports_of_an_export_are_those_of_the_trace(string file, string format)
    {
        using var folder = new TempFolder();
        var (path, exported) = (TestFiles.Data(file), Path.Combine(folder.Path, "x." + format));
        var (code, _, error) = Run("export", path, "--to", format, "-o", exported);
        Assert.True(code == 0, error);
        foreach (
            var command in (string[])
                [
                    "table",
                    "runs",
                    "cpu --by method",
                    "cpu --by module",
                    "cpu --by thread",
                    "cpu --tree",
                    "causes",
                    "causes --by-run",
                    .. file == Machine ? (string[])["waits"] : [],
                ]
        )
        {
            var (before, after) = (Rows(command, path), Rows(command, exported));
            Assert.True(before.Count > 1, command);
            Assert.Equal(before.Count, after.Count);
            Assert.All(
                before.Zip(after),
                rows =>
                    Assert.True(
                        rows.First.Length == rows.Second.Length
                            && rows.First.Zip(rows.Second).All(pair => AreEqual(pair.First, pair.Second)),
                        $"{command}: {string.Join(',', rows.First)} and {string.Join(',', rows.Second)}"
                    )
            );
        }

        static List<string[]> Rows(string command, string path)
        {
            var words = command.Split(' ');
            return
            [
                .. Run([words[0], path, .. words[1..], "--format", "csv"])
                    .Output.Split('\n', StringSplitOptions.RemoveEmptyEntries)
                    .Select(line => line.Split(',')),
            ];
        }

        // An .etl has the sampling interval in units of 100 ns: of perf's 2,004,008 ns it has 2,004,000.
        bool AreEqual(string before, string after) =>
            before == after
            || (
                file == Perf
                && format == "etl"
                && double.TryParse(before, CultureInfo.InvariantCulture, out var first)
                && double.TryParse(after, CultureInfo.InvariantCulture, out var second)
                && Math.Abs(first - second) <= Math.Abs(first) * 5e-6
            );
    }

    private static void Check(string command, string file, string format, params string[] options)
    {
        var (code, output, error) = Run([command, TestFiles.Data(file), "--format", format, .. options]);
        Assert.True(code == 0, error);
        Snapshot.Matches("Reports.Tests", $"others-{command}-{Path.GetFileNameWithoutExtension(file)}-{format}", output);
    }
}
