using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>
/// Several recordings read as one: the recording in tests/TestData twice, with the same process id and run numbers, the second one with
/// session <c>code</c> only (so that marks, GCs and exceptions are missing and its run CSV has the runs).
/// </summary>
public sealed class IndexReportTests : IDisposable
{
    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Csv)]
    [InlineData(ReportFormat.Json)]
    public void Table_of_an_index(ReportFormat format)
    {
        Index();
        using var output = new StringWriter();
        ReportPrinter.PrintTable(new TraceRuns([_folder.Path]), format, output);

        Snapshot.Matches(
            "Reports.Tests",
            $"index-table-{format}".ToLowerInvariant(),
            output.ToString().Replace(_folder.Path, "FOLDER", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Each_recording_has_its_own_runs_although_process_ids_are_the_same()
    {
        var alone = RunAnalysis.Run(TraceInputReader.Open([TestFiles.Recording]).Processes, []);
        Index();

        var result = RunAnalysis.Run(TraceInputReader.Open([_folder.Path]).Processes, []);

        Assert.Equal([alone.RunsExpected, alone.RunsExpected], result.Processes.Select(process => process.Expected));
        Assert.Equal(2 * alone.RunsFound, result.RunsFound);
        Assert.Equal(
            alone.Runs,
            result
                .Runs.Where(run => run.Runtime == "full")
                .Select(run =>
                    run with
                    {
                        Process = alone.Runs[0].Process,
                        Runtime = alone.Runs[0].Runtime,
                        IsOneOfSeveralRuntimes = false,
                    }
                )
        );
        var part = result.Runs.Where(run => run.Runtime == "part").ToList();
        Assert.Equal(alone.Runs.Select(run => run.RunId), part.Select(run => run.RunId));
        Assert.All(part, run => Assert.Null(run.PauseTotalMs));
        Assert.Equal(2 * alone.FirstUseRows.Count, result.FirstUseRows.Count);
    }

    [Fact]
    public void Rows_of_one_serializer_and_test_stand_side_by_side()
    {
        Index();

        var rows = RunAnalysis.Run(TraceInputReader.Open([_folder.Path]).Processes, []).Rows;

        for (var i = 0; i < rows.Count; i += 2)
        {
            Assert.Equal(("full", "part"), (rows[i].Key.Runtime, rows[i + 1].Key.Runtime));
            Assert.Equal(rows[i].Key with { Runtime = "" }, rows[i + 1].Key with { Runtime = "" });
            if (i > 0 && rows[i - 1].Key.Operation == rows[i].Key.Operation && rows[i - 1].Key.ObjectCount == rows[i].Key.ObjectCount)
                Assert.True(Fastest(i - 2) <= Fastest(i), $"row {i}");
        }

        double Fastest(int row) => Math.Min(rows[row].WallMedianMs ?? double.MaxValue, rows[row + 1].WallMedianMs ?? double.MaxValue);
    }

    [Fact]
    public void What_one_recording_lacks_is_said_with_its_label()
    {
        Index(("gone", "gone"));
        var part = RecordingFile.Read(Path.Combine(_folder.Path, "part"));
        RecordingFile.Write(
            Path.Combine(_folder.Path, "part"),
            part with
            {
                Complete = false,
                Interruption = "stopped by Ctrl+C",
                Losses = ["no kernel events: not permitted"],
            }
        );
        foreach (var format in (ReportFormat[])[ReportFormat.Table, ReportFormat.Markdown, ReportFormat.Json])
        {
            using var output = new StringWriter();
            ReportPrinter.PrintTable(new TraceRuns([_folder.Path]), format, output);
            Assert.Contains("part: the recording is partial: stopped by Ctrl+C", output.ToString(), StringComparison.Ordinal);
            Assert.Contains("part: no kernel events: not permitted", output.ToString(), StringComparison.Ordinal);
            Assert.Contains("gone: ", output.ToString(), StringComparison.Ordinal);
            Assert.Contains("there is no recording.json in it", output.ToString(), StringComparison.Ordinal);
            Assert.Contains("net472: no Mono was found", output.ToString(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Every_report_distinguishes_the_recordings()
    {
        Index();
        var query = new EventQuery(new RunFilter(), null);
        (string Name, Func<TextWriter, AnalysisResult> Print)[] reports =
        [
            ("runs", output => ReportPrinter.PrintRuns(new TraceRuns([_folder.Path]), ReportFormat.Json, output)),
            ("jit", output => EventReportPrinter.PrintCompilations([_folder.Path], query, ReportFormat.Json, output)),
            ("waits", output => EventReportPrinter.PrintWaits([_folder.Path], query, ReportFormat.Json, output)),
            ("exceptions", output => EventReportPrinter.PrintExceptions([_folder.Path], query, ReportFormat.Json, output)),
            ("gc", output => EventReportPrinter.PrintGcs([_folder.Path], query, ReportFormat.Json, output)),
        ];
        foreach (var (name, print) in reports)
        {
            using var output = new StringWriter();
            print(output);
            using var json = JsonDocument.Parse(output.ToString());
            var rows = json.RootElement.GetProperty(name == "runs" ? "runs" : "rows").EnumerateArray().ToList();
            Assert.All(rows, row => Assert.Contains(row.GetProperty("runtime").GetString(), (string[])["full", "part"]));
            Assert.Contains(rows, row => row.GetProperty("runtime").GetString() == "full");
            if (name is "exceptions" or "gc")
            {
                // Both sessions with these events are missing in the second recording: it has none of these rows, and the reports say so.
                Assert.DoesNotContain(rows, row => row.GetProperty("runtime").GetString() == "part");
                Assert.Contains(
                    json.RootElement.GetProperty("findings").EnumerateArray(),
                    finding =>
                        finding
                            .GetProperty("text")
                            .GetString()!
                            .EndsWith("of part: process 14755 were not recorded", StringComparison.Ordinal)
                );
            }
        }
    }

    [Fact]
    public void One_runtime_can_be_chosen()
    {
        Index();
        using var output = new StringWriter();
        EventReportPrinter.PrintCompilations(
            [_folder.Path],
            new EventQuery(new RunFilter { Runtime = "FULL" }, null),
            ReportFormat.Json,
            output
        );

        using var json = JsonDocument.Parse(output.ToString());
        Assert.All(
            json.RootElement.GetProperty("rows").EnumerateArray(),
            row => Assert.Equal("full", row.GetProperty("runtime").GetString())
        );
        var error = Assert.Throws<NoRunMatchesException>(() =>
            EventReportPrinter.PrintCompilations(
                [_folder.Path],
                new EventQuery(new RunFilter { Runtime = "mono" }, null),
                ReportFormat.Json,
                output
            )
        );
        Assert.EndsWith("choose from full, part", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Folders_named_beside_each_other_are_compared_like_an_index()
    {
        Index();
        string[] paths = [Path.Combine(_folder.Path, "full"), Path.Combine(_folder.Path, "part")];

        var input = TraceInputReader.Open(paths);

        Assert.Equal(["full", "part"], input.Recordings.Select(recording => recording.Label));
        Assert.Equal(
            TraceInputReader.Open([_folder.Path]).Processes.Select(process => process.Key),
            input.Processes.Select(process => process.Key)
        );
        Assert.Contains(
            "this recording was named before",
            Assert.Single(TraceInputReader.Open([paths[0], paths[0]]).Problems),
            StringComparison.Ordinal
        );
        Assert.Equal(
            ["full", $"{Path.GetFileName(_folder.Path)} part"],
            TraceInputReader.Open([paths[0], _folder.Path]).Recordings.Select(recording => recording.Label)
        );
    }

    [Fact]
    public void An_index_without_a_readable_recording_is_an_error()
    {
        RecordingIndexFile.Write(
            _folder.Path,
            new RecordingIndex(1, "test", DateTime.UnixEpoch, [new IndexedRecording("gone", "gone")], [])
        );

        Assert.Throws<TraceFormatException>(() => TraceInputReader.Open([_folder.Path]));
        RecordingIndexFile.Write(_folder.Path, new RecordingIndex(1, "test", DateTime.UnixEpoch, [], ["mono: not found"]));
        Assert.Contains(
            "the index has none",
            Assert.Throws<TraceFormatException>(() => TraceInputReader.Open([_folder.Path])).Message,
            StringComparison.Ordinal
        );
    }

    /// <summary>Writes two recordings and their index.</summary>
    private void Index(params (string Folder, string Label)[] more)
    {
        Copy("full", name => true);
        Copy("part", name => name == "code");
        RecordingIndexFile.Write(
            _folder.Path,
            new RecordingIndex(
                RecordingIndex.CurrentSchema,
                "test",
                DateTime.UnixEpoch,
                [
                    new IndexedRecording("full", "full"),
                    new IndexedRecording("part", "part"),
                    .. more.Select(item => new IndexedRecording(item.Folder, item.Label)),
                ],
                ["net472: no Mono was found"]
            )
        );
    }

    private void Copy(string folder, Func<string, bool> hasSession)
    {
        var target = Directory.CreateDirectory(Path.Combine(_folder.Path, folder)).FullName;
        var recording = RecordingFile.Read(TestFiles.Recording);
        var process = recording.Processes[0];
        RecordingFile.Write(
            target,
            recording with
            {
                Processes = [process with { Sessions = [.. process.Sessions.Where(session => hasSession(session.Name))] }],
            }
        );
        foreach (
            var file in recording
                .Processes[0]
                .Sessions.Where(session => hasSession(session.Name))
                .Select(session => session.File)
                .Append(recording.RunsFile)
        )
            File.Copy(Path.Combine(TestFiles.Recording, file), Path.Combine(target, file));
    }
}
