using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Foundation.Terminals;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Reports.Tests;

public sealed class FormatTests
{
    private static readonly TracedProcess s_nothingRecorded = new(
        1,
        "program",
        ".NET 8.0",
        [],
        [new RunCsvRow(1, 1, 0, SyntheticTrace.Identity("a,\"b\"|<c>"), SyntheticTrace.Measurement(1000, 3000), ".NET 8.0")]
    );

    [Fact]
    public void What_was_not_recorded_reads_so_in_every_format()
    {
        var table = Print(ReportFormat.Table, s_nothingRecorded);
        Assert.Equal(
            SummaryColumns.Main.Count(column =>
                column.Header
                    is "Pause ms"
                        or "Max pause ms"
                        or "Pause %"
                        or "JIT"
                        or "JIT ms"
                        or "Exc"
                        or "Locks"
                        or "Lock ms"
                        or "CPU ms"
                        or "Reflection ms"
                        or "Activator ms"
            ),
            Count(table, "not recorded")
        );
        Assert.Equal(11, Count(Print(ReportFormat.Markdown, s_nothingRecorded), "not recorded"));

        using var json = JsonDocument.Parse(Print(ReportFormat.Json, s_nothingRecorded));
        var row = json.RootElement.GetProperty("rows")[0];
        foreach (
            var name in (string[])
                [
                    "pauseTotalMs",
                    "pauseMaxMs",
                    "pausePercent",
                    "jitMethods",
                    "jitMs",
                    "exceptions",
                    "contentions",
                    "contentionMs",
                    "cpuMs",
                    "reflectionMs",
                    "activatorMs",
                    "allocatedBytesByEvents",
                ]
        )
            Assert.Equal(JsonValueKind.Null, row.GetProperty(name).ValueKind);
        Assert.Equal(4000, row.GetProperty("allocatedBytes").GetDouble());

        var lines = Print(ReportFormat.Csv, s_nothingRecorded).Split("\r\n");
        Assert.Equal(3, lines.Length);
        Assert.StartsWith("\"a,\"\"b\"\"|<c>\",", lines[1], StringComparison.Ordinal);
        Assert.Contains(",,,", lines[1], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(
        8,
        "Read: r/0.nettrace, r/1.nettrace, r/2.nettrace, r/3.nettrace, r/4.nettrace, r/5.nettrace, r/6.nettrace, r/7.nettrace, own.csv"
    )]
    [InlineData(31, "Read: r/0.nettrace, r/1.nettrace, r/2.nettrace, r/3.nettrace, 27 more files in r, own.csv")]
    public void Of_many_files_the_first_are_named(int files, string expected)
    {
        var input = new TraceInput(
            ["r"],
            [s_nothingRecorded],
            [],
            false,
            [],
            [.. Enumerable.Range(0, files).Select(number => $"r/{number}.nettrace"), "own.csv"]
        );

        Assert.Equal(
            expected,
            Print(ReportFormat.Table, ReportBuilder.Table(input, RunAnalysis.Run(input.Processes, []))).TrimEnd().Split('\n')[^1].TrimEnd()
        );
    }

    [Fact]
    public void Markdown_cells_stay_in_their_cells()
    {
        var line = Print(ReportFormat.Markdown, s_nothingRecorded)
            .Split('\n')
            .Single(line => line.Contains("a,", StringComparison.Ordinal) && line.StartsWith('|'));

        Assert.Contains("a,\"b\"\\|&lt;c>", line, StringComparison.Ordinal);
        Assert.Equal(
            SummaryColumns.Main.Count(column => column.Header is not null && column.ShownWith is null) + 1,
            line.Replace("\\|", "", StringComparison.Ordinal).Count(letter => letter == '|')
        );
    }

    [Theory]
    [InlineData("a\uFFFFb", @"a\uFFFFb")]
    [InlineData("a\u001B[2Jb", @"a\u001B[2Jb")]
    [InlineData("a\nb\tc\rd", @"a\nb\tc\rd")]
    [InlineData("a\u202Eb", @"a\u202Eb")]
    [InlineData("a\U0001FFFEb", @"a\U0001FFFEb")]
    [InlineData("größer 😀 日本", "größer 😀 日本")]
    public void Characters_without_a_glyph_are_shown_by_their_number(string name, string shown)
    {
        var process = s_nothingRecorded with { CsvRows = [s_nothingRecorded.CsvRows[0] with { Identity = SyntheticTrace.Identity(name) }] };
        var input = new TraceInput([name], [process], [], true, [name], [name]);
        var report = ReportBuilder.Table(input, RunAnalysis.Run(input.Processes, [name]));
        report = report with { Closing = [name], Sections = [report.Sections[0].With([name])] };

        foreach (var look in (TextLook[])[default, new TextLook(80, Colour: true)])
        {
            using var output = new StringWriter { NewLine = "\n" };
            using var terminal = new TerminalWriter(output, look) { NewLine = "\n" };
            ReportPrinter.Write(report, ReportFormat.Table, terminal);
            Assert.True(Count(output.ToString(), shown) >= 6, output.ToString());
            Assert.True(name == shown || !output.ToString().Contains(name, StringComparison.Ordinal));
        }

        Assert.Contains(
            shown.Replace(@"\", @"\\", StringComparison.Ordinal),
            Print(ReportFormat.Markdown, report),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Half_a_pair_of_surrogates_is_shown_by_its_number() =>
        Assert.Equal(@"a\uD800b\uDFFF😀", PrintableText.Of("a\uD800b\uDFFF😀"));

    [Fact]
    public void All_formats_carry_the_same_numbers()
    {
        var input = TraceInputReader.Open([TestFiles.Recording]);
        var result = RunAnalysis.Run(input.Processes, []);
        var report = ReportBuilder.Table(input, result);
        using var json = JsonDocument.Parse(Print(ReportFormat.Json, report));
        var csv = Print(ReportFormat.Csv, report).Split("\r\n").Select(line => line.Split(',')).ToList();
        var table = Print(ReportFormat.Table, report);
        var median = Array.IndexOf(csv[0], "wallMedianMs");
        for (var i = 0; i < result.Rows.Count; i++)
        {
            if (result.Rows[i].WallMedianMs is not { } value)
                continue;
            Assert.Equal(value, json.RootElement.GetProperty("rows")[i].GetProperty("wallMedianMs").GetDouble(), 1e-5);
            Assert.Equal(value, double.Parse(csv[i + 1][median], CultureInfo.InvariantCulture), 1e-5);
            Assert.Contains(value.ToString("0.000", CultureInfo.InvariantCulture), table, StringComparison.Ordinal);
        }

        Assert.Equal(1 + result.Rows.Count + result.FirstUseRows.Count + 1, csv.Count); // header, rows, end of file
    }

    [Fact]
    public void Lines_of_the_table_never_wrap()
    {
        var process = s_nothingRecorded with
        {
            CsvRows = [s_nothingRecorded.CsvRows[0] with { Identity = SyntheticTrace.Identity(new string('x', 500)) }],
        };

        Assert.Equal(
            1,
            Print(ReportFormat.Table, process)
                .Split('\n')
                .Count(line => line.Contains("xxx", StringComparison.Ordinal) && line.Contains('│'))
        );
    }

    [Fact]
    public void Output_does_not_follow_the_culture()
    {
        var culture = CultureInfo.CurrentCulture;
        var expected = Print(ReportFormat.Table, s_nothingRecorded);
        try
        {
            var comma = (CultureInfo)CultureInfo.InvariantCulture.Clone();
            comma.NumberFormat.NumberDecimalSeparator = ",";
            CultureInfo.CurrentCulture = comma;
            Assert.Equal(expected, Print(ReportFormat.Table, s_nothingRecorded));
        }
        finally
        {
            CultureInfo.CurrentCulture = culture;
        }
    }

    [Fact]
    public void A_damaged_file_stands_on_every_format()
    {
        using var folder = new TempFolder();
        var bytes = File.ReadAllBytes(TestFiles.Data("net10/clr.nettrace"));
        var path = folder.Write("clr.nettrace", bytes[..(bytes.Length / 2)]);
        foreach (var format in (ReportFormat[])[ReportFormat.Table, ReportFormat.Markdown, ReportFormat.Json])
        {
            using var output = new StringWriter();
            var result = ReportPrinter.PrintTable(new TraceRuns([path]), format, output);
            Assert.Contains("is cut off", output.ToString(), StringComparison.Ordinal);
            Assert.Contains(
                Assert.Single(result.Damages).Offset.ToString(CultureInfo.InvariantCulture),
                output.ToString(),
                StringComparison.Ordinal
            );
        }
    }

    [Fact]
    public void A_partial_recording_and_its_losses_stand_on_every_format()
    {
        using var folder = new TempFolder();
        foreach (var file in Directory.GetFiles(TestFiles.Recording))
            File.Copy(file, Path.Combine(folder.Path, Path.GetFileName(file)));
        var recording = RecordingFile.Read(folder.Path);
        var process = recording.Processes[0];
        RecordingFile.Write(
            folder.Path,
            recording with
            {
                Complete = false,
                Interruption = "stopped by Ctrl+C",
                Losses = ["no kernel events: not permitted"],
                Processes =
                [
                    process with
                    {
                        Sessions =
                        [
                            .. process.Sessions.Select(session =>
                                session.Name == "alloc" ? session with { File = "", Error = "refused" } : session
                            ),
                        ],
                    },
                ],
            }
        );

        foreach (var format in (ReportFormat[])[ReportFormat.Table, ReportFormat.Markdown, ReportFormat.Json])
        {
            using var output = new StringWriter();
            ReportPrinter.PrintTable(new TraceRuns([folder.Path]), format, output);
            Assert.Contains("the recording is partial: stopped by Ctrl+C", output.ToString(), StringComparison.Ordinal);
            Assert.Contains("no kernel events: not permitted", output.ToString(), StringComparison.Ordinal);
            Assert.Contains("session 'alloc' of process 14755: refused", output.ToString(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void The_interval_of_a_circular_recording_stands_on_every_report()
    {
        using var folder = new TempFolder();
        foreach (var file in Directory.GetFiles(TestFiles.Recording))
            File.Copy(file, Path.Combine(folder.Path, Path.GetFileName(file)));
        var recording = RecordingFile.Read(folder.Path);
        Assert.Equal("file", recording.Mode);
        var runs = TraceInputReader.Open([folder.Path]).Processes[0].CsvRows.Select(row => row.SelfMeasurement).ToList();
        var (start, stop) = (runs[4].StopTicks, runs[^1].StopTicks + 500_000_000);
        RecordingFile.Write(
            folder.Path,
            recording with
            {
                Mode = "circular:2MB",
                Kept = new KeptInterval(2 << 20, start, stop, 1_000_000_000, KeptInterval.AtEnd, 640_000, 1_500_000, 4711),
            }
        );
        var seconds = ((stop - start) / 1e9).ToString("0.0", CultureInfo.InvariantCulture);
        string[] lines =
        [
            $"Kept interval (circular:2MB): {seconds} s before the end, {start} to {stop} ticks of the trace's clock; dropped by design: 4711 events, 1.5 MB",
            "5 runs lie before the kept interval",
        ];

        foreach (var format in (ReportFormat[])[ReportFormat.Table, ReportFormat.Markdown])
        {
            using var output = new StringWriter();
            ReportPrinter.PrintTable(new TraceRuns([folder.Path]), format, output);
            Assert.All(lines, line => Assert.Contains(line, output.ToString(), StringComparison.Ordinal));
        }

        using var json = new StringWriter();
        ReportPrinter.PrintRuns(new TraceRuns([folder.Path]), ReportFormat.Json, json);
        using var document = JsonDocument.Parse(json.ToString());
        var environment = document.RootElement.GetProperty("environment");
        Assert.Equal("circular:2MB", environment.GetProperty("mode").GetString());
        Assert.Equal((start, stop, 4711), (Kept("startTicks"), Kept("stopTicks"), Kept("droppedEvents")));
        Assert.Equal(
            (runs.Count - 5, 5),
            (document.RootElement.GetProperty("runsExpected").GetInt32(), document.RootElement.GetProperty("runsBeforeInterval").GetInt32())
        );

        long Kept(string name) => environment.GetProperty("keptInterval").GetProperty(name).GetInt64();
    }

    private static string Print(ReportFormat format, TracedProcess process)
    {
        var input = new TraceInput(["x"], [process], [], true, [], []);
        return Print(format, ReportBuilder.Table(input, RunAnalysis.Run(input.Processes, [])));
    }

    private static string Print(ReportFormat format, Report report)
    {
        using var output = new StringWriter { NewLine = "\n" };
        ReportPrinter.Write(report, format, output);
        return output.ToString();
    }

    private static int Count(string text, string part) =>
        (text.Length - text.Replace(part, "", StringComparison.Ordinal).Length) / part.Length;
}
