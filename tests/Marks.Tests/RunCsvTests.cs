using System.Globalization;
using CsvHelper;

namespace EtwSerializerProfiler.Marks.Tests;

public sealed class RunCsvTests : IDisposable
{
    private readonly string _path = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());

    public void Dispose() => File.Delete(_path);

    [Fact]
    public void What_is_written_is_read_back_whatever_the_texts_hold()
    {
        const string Error = "Some.Exception: \"a\", b;\r\nc";
        using (var csv = new RunCsv(_path))
            csv.Write(41, 260, TestRuns.Identity(), TestRuns.Measurement(Error));

        var row = Assert.Single(Read());

        Assert.Equal(
            [
                Environment.ProcessId.ToString(CultureInfo.InvariantCulture),
                "41",
                "260",
                "Serializer, \"quoted\"",
                "Some.Library",
                "1.2.3-beta\nsecond line",
                "Serialize",
                "FirstCall",
                "1000",
                "25",
                "7",
                "3",
                "9223372036854775806",
                "9223372036854775807",
                "1000000000",
                "5555555555",
                "6666666666",
                "11",
                "12",
                "13",
                "-1",
                System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription,
                Error,
                "9223372036854775805",
                "51000",
                "52000",
                "53000",
                "54000",
                "55",
            ],
            RunCsv.Columns.Select(column => row[column])
        );
    }

    [Fact]
    public void A_row_is_on_disk_before_the_file_is_closed()
    {
        using var csv = new RunCsv(_path);
        csv.Write(1, 0, TestRuns.Identity(), TestRuns.Measurement());

        Assert.Single(Read());
    }

    [Fact]
    public void Writers_in_turn_keep_each_others_rows_and_one_header()
    {
        using (var first = new RunCsv(_path))
        using (var second = new RunCsv(_path))
        {
            first.Write(1, 0, TestRuns.Identity(), TestRuns.Measurement());
            second.Write(2, 0, TestRuns.Identity(), TestRuns.Measurement());
            first.Write(3, 0, TestRuns.Identity(), TestRuns.Measurement());
        }

        using (var third = new RunCsv(_path))
            third.Write(4, 0, TestRuns.Identity(), TestRuns.Measurement());

        Assert.Equal(["1", "2", "3", "4"], Read().Select(row => row["run_id"]));
    }

    [Fact]
    public void A_serializer_that_takes_no_part_is_a_row_that_counts_as_no_run()
    {
        using (var csv = new RunCsv(_path))
        {
            Assert.True(csv.IsNew);
            csv.WriteLeftOut("Jil", "package not found, or \"broken\"");
            csv.Write(1, 2, TestRuns.Identity(), TestRuns.Measurement());
            csv.Write(2, 2, TestRuns.Identity(), TestRuns.Measurement());
            Assert.Equal(2, RunCsv.CountRuns(_path)); // by another process of the same benchmark
        }

        using (var next = new RunCsv(_path))
            Assert.False(next.IsNew);
        var row = Read()[0];
        Assert.Equal(
            ("0", "Jil", "LeftOut", "package not found, or \"broken\"", ""),
            (row["run_id"], row["serializer"], row["kind"], row["error"], row["start_ticks"])
        );
    }

    private List<Dictionary<string, string>> Read()
    {
        using var file = new FileStream(_path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        using var reader = CsvReader.Create(file, CsvReaderOptions.Default, leaveOpen: true);
        var rows = new List<Dictionary<string, string>>();
        while (reader.Read())
            rows.Add(RunCsv.Columns.ToDictionary(column => column, reader.GetString));
        Assert.Equal(RunCsv.Columns, reader.Headers);
        return rows;
    }
}
