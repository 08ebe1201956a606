using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class RunCsvReaderTests
{
    [Fact]
    public void Reads_what_RunCsv_writes()
    {
        using var folder = new TempFolder();
        var path = Path.Combine(folder.Path, "runs.csv");
        var identity = new RunIdentity("a,\"b\"", "Lib", "1.2", "Serialize", RunKind.FirstCall, 10, 20, 3, 4);
        var measurement = new RunMeasurement(1, 2, 1_000_000_000, 4, 5, 6, 7, 8, 9, "System.Exception: line 1\nline 2")
        {
            LaunchedTicks = 77,
            ProbeBeforeNanoseconds = 88,
            ProbeAfterNanoseconds = 99,
            PeakWorkingSetBytes = 111,
            ProgramBytes = 122,
            UnsettledMethods = 133,
        };
        using (var csv = new RunCsv(path))
        {
            csv.WriteLeftOut("Jil", "package not found");
            csv.Write(1, 12, identity, measurement);
            csv.Write(2, 12, identity, measurement);
        }

        var content = RunCsvReader.Read(path);
        Assert.Empty(content.Problems);
        Assert.Equal([new LeftOutSerializer("Jil", "package not found")], content.LeftOut);
        Assert.Equal([1, 2], content.Rows.Select(row => row.RunId));
        Assert.Equal(identity, content.Rows[0].Identity);
        Assert.Equal(measurement, content.Rows[0].SelfMeasurement);
        Assert.Equal(12, content.Rows[0].PlannedRuns);
        Assert.Equal(Environment.ProcessId, content.Rows[0].ProcessId);
    }

    [Fact]
    public void A_line_that_was_cut_off_is_left_out_and_reported()
    {
        var whole = File.ReadAllText(TestFiles.Data("net10/runs.csv"));
        using var folder = new TempFolder();
        for (var length = whole.Length - 1; length > whole.Length - 130; length -= 7)
        {
            var content = RunCsvReader.Read(folder.Write("runs.csv", whole[..length]));
            Assert.Equal(18, content.Rows.Count);
            Assert.Contains("row 20 is cut off", Assert.Single(content.Problems), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Columns_are_found_by_name()
    {
        using var folder = new TempFolder();
        var content = RunCsvReader.Read(folder.Write("runs.csv", "operation,extra,serializer,run_id,pid\nSerialize,x,Json,7,42\n"));

        var row = Assert.Single(content.Rows);
        Assert.Equal(
            (42, 7, "Json", "Serialize", -1L, -1L, -1L, -1L),
            (
                row.ProcessId,
                row.RunId,
                row.Identity.Serializer,
                row.Identity.Operation,
                row.SelfMeasurement.AllocatedBytes,
                row.SelfMeasurement.LaunchedTicks,
                row.SelfMeasurement.ProbeBeforeNanoseconds,
                row.SelfMeasurement.ProbeAfterNanoseconds
            )
        );
    }

    [Fact]
    public void A_row_without_its_number_is_left_out_and_reported()
    {
        using var folder = new TempFolder();
        var content = RunCsvReader.Read(
            folder.Write("runs.csv", "pid,run_id,serializer,operation\n1,x,Json,Serialize\n1,2,Json,Serialize\n")
        );

        Assert.Equal(2, Assert.Single(content.Rows).RunId);
        Assert.Contains("row 2 was skipped: column 'run_id'", Assert.Single(content.Problems), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("a,b,c\n1,2,3\n")]
    public void Another_file_is_refused(string text)
    {
        using var folder = new TempFolder();
        var path = folder.Write("runs.csv", text);

        Assert.Throws<TraceFormatException>(() => RunCsvReader.Read(path));
    }
}
