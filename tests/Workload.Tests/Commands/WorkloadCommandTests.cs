using System.Diagnostics;
using CsvHelper;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Commands;

[Trait(TestKind.Trait, TestKind.Records)]
public sealed class WorkloadCommandTests : IDisposable
{
    /// <summary>Lines above the results: the runs' environment.</summary>
    private const int HeaderLines = 2;

    private readonly TempFolder _folder = new();
    private readonly string _csv;

    public WorkloadCommandTests() => _csv = Path.Combine(_folder.Path, "runs.csv");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void The_list_has_a_line_of_cells_for_each_serializer()
    {
        var (exitCode, output, _) = WorkloadProcess.Run("-LIST");
        var lines = output.Split('\n', StringSplitOptions.RemoveEmptyEntries);

        Assert.Equal(0, exitCode);
        var rows = lines.Select(line => line.TrimEnd('\r').Split('\t')).ToList();
        Assert.Equal(SerializerRegistry.All.Select(serializer => serializer.Name), rows.Select(row => row[0]));
        Assert.All(rows, row => Assert.Equal((5, "yes"), (row.Length, row[^1])));
    }

    [Fact]
    public void A_small_suite_writes_every_planned_run_and_a_line_a_series()
    {
        var (exitCode, output, error) = WorkloadProcess.Run(
            "-Serializer",
            "#datacontract,protobuf",
            "--TEST",
            "Serialize,deserialize,combined",
            "-N",
            "2,20",
            "-RUNS",
            "3",
            "-payload",
            "5",
            "-Stream",
            "File",
            "-verify",
            "-CSV",
            _csv
        );

        Assert.True(exitCode == 0, error);
        Assert.Equal(HeaderLines + 12 + 1, output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.EndsWith("verified: 4 of 4 round trips are equal to the original", output.TrimEnd(), StringComparison.Ordinal);
        var rows = Rows();
        Assert.Equal(rows.Count, int.Parse(rows[^1]["planned_runs"])); // all runs of the final plan were made
        Assert.All(rows, row => Assert.Equal(("", "5"), (row["error"], row["payload_bytes"])));
        Assert.Equal(Enumerable.Range(1, rows.Count), rows.Select(row => int.Parse(row["run_id"])));
        Assert.Equal(36, rows.Count(row => row["kind"] == nameof(RunKind.Measured)));

        // First uses of 2 serializers × 3 operations, after the first one as many rehearsed runs as make 40; then a warm-up of each count.
        Assert.Equal(40 + 5 + 12, rows.Count(row => row["kind"] == nameof(RunKind.WarmUp)));
        Assert.All(rows, row => Assert.True(long.Parse(row["data_bytes"]) > 20));
        Assert.All(
            rows.Zip(rows.Skip(1)),
            pair => Assert.True(long.Parse(pair.First["stop_ticks"]) <= long.Parse(pair.Second["start_ticks"]))
        );
    }

    [Fact]
    public void A_serializer_that_loses_data_is_named_and_fails_the_verification_and_only_that()
    {
        string[] small =
        [
            "-data",
            typeof(OrderBook).Assembly.Location,
            "-serializer",
            "#Forgetful,#Lines",
            "-test",
            "serialize",
            "-n",
            "3",
            "-runs",
            "1",
        ];
        var (exitCode, output, error) = WorkloadProcess.Run([.. small, "-verify"]);

        Assert.Equal(1, exitCode);
        Assert.Equal("error: Serialize Forgetful n=3: the round trip differs: Orders has 2 items, not 3", error);
        Assert.Equal(HeaderLines + 2 + 1, output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length); // both are measured
        Assert.EndsWith("verified: 1 of 2 round trips are equal to the original", output.TrimEnd(), StringComparison.Ordinal);
        Assert.Equal(0, WorkloadProcess.Run(small).ExitCode);
    }

    [Fact]
    public void Every_serializer_that_builds_gives_back_what_it_was_given_also_to_several_threads_at_once()
    {
        var (exitCode, output, error) = WorkloadProcess.Run(
            "-test",
            "serialize",
            "-n",
            "5,300",
            "-runs",
            "1",
            "-threads",
            "1,4",
            "-payload",
            "3",
            "-verify",
            "-csv",
            _csv
        );

        Assert.True(exitCode == 0, error);
        var usable = SerializerRegistry.All.Where(serializer => serializer.KnownFailure.Length == 0).ToList();
        Assert.Equal(HeaderLines + (usable.Count * 4) + 1, output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Equal(usable.Select(serializer => serializer.Name).Order(), Rows().Select(row => row["serializer"]).Distinct().Order());
        Assert.Equal(
            ["1 4", "4 4"],
            Rows()
                .Where(row => row["kind"] == "Measured" && row["serializer"] == "DataContract")
                .GroupBy(row => row["threads"])
                .Select(group => $"{group.Key} {group.Count() * 2}")
        );
    }

    [Fact]
    public void First_calls_have_a_process_each_and_share_the_csv_with_the_suite()
    {
        var (exitCode, output, error) = WorkloadProcess.Run(
            "-serializer",
            "#SystemTextJson",
            "-test",
            "serialize,firstcall,deserialize",
            "-n",
            "3",
            "-runs",
            "2",
            "-csv",
            _csv
        );

        Assert.True(exitCode == 0, error);
        Assert.Equal(HeaderLines + 6, output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        var rows = Rows();
        var asked = rows.Where(row => row["objects"] == "3").ToList(); // the others settle, or do not depend on objects
        Assert.Equal(
            [
                "Serialize 3 WarmUp 1",
                "Serialize 3 Measured 1",
                "Serialize 3 Measured 2",
                "FirstSerialize 3 FirstCall 1",
                "FirstSerialize 3 FirstCall 2",
                "FirstDeserialize 3 FirstCall 1",
                "FirstDeserialize 3 FirstCall 2",
                "Deserialize 3 WarmUp 1",
                "Deserialize 3 Measured 1",
                "Deserialize 3 Measured 2",
            ],
            asked.Select(row => $"{row["operation"]} {row["objects"]} {row["kind"]} {row["run"]}")
        );
        var withoutObjects = rows.Where(row => row["objects"] == "0").ToList();
        Assert.Equal(
            ["StartRuntime (runtime) 1", "StartRuntime (runtime) 2", "Construct SystemTextJson 1", "Construct SystemTextJson 2"],
            withoutObjects.Select(row => $"{row["operation"]} {row["serializer"]} {row["run"]}")
        );
        Assert.All(rows.Except(withoutObjects.Take(2)), row => Assert.Equal("System.Text.Json", row["library"]));
        Assert.All(rows, row => Assert.Equal(row["kind"] == "FirstCall", row["launched_ticks"] != "-1"));
        Assert.All(
            rows,
            row => Assert.Equal(row["kind"] != "FirstCall", long.Parse(row["probe_before_ns"]) > 0 && long.Parse(row["probe_after_ns"]) > 0)
        ); // a first call must be the first
        Assert.All(
            rows.Where(row => row["kind"] == "FirstCall"),
            row =>
                Assert.InRange(
                    long.Parse(row["launched_ticks"]),
                    rows.Where(before => before["kind"] == "Measured").Min(before => long.Parse(before["stop_ticks"])),
                    long.Parse(row["start_ticks"])
                )
        );
        Assert.Equal(rows.Count.ToString(), rows[^1]["planned_runs"]);
        Assert.Equal(1 + 8, rows.Select(row => row["pid"]).Distinct().Count());

        // It is a first call: even with three objects its thread takes many times the CPU time of a warm one (some 20 ms against 20 µs),
        // which no load changes.
        if (!OperatingSystem.IsWindows()) // where that clock advances by 15.6 ms
            Assert.True(
                CpuNanoseconds(asked[3]) > 3 * CpuNanoseconds(asked[2]),
                $"{CpuNanoseconds(asked[3])} ns against {CpuNanoseconds(asked[2])} ns"
            );
    }

    [Theory]
    [InlineData("-runs: '0'", "-runs", "0")]
    [InlineData("-serializer: 'nothing' matches no serializer; choose from XmlSerializer, ", "-serializer", "nothing")]
    [InlineData("'-bogus'", "-bogus")]
    [InlineData("/does/not/exist", "-csv", "/does/not/exist/runs.csv")]
    public void A_bad_option_is_one_line_and_exit_code_2(string message, params string[] args)
    {
        var (exitCode, output, error) = WorkloadProcess.Run(args);

        Assert.Equal(2, exitCode);
        Assert.Empty(output);
        Assert.Contains(message, Assert.Single(error.Split('\n', StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
    }

    [Fact]
    public void Quiet_leaves_standard_output_empty_and_help_names_the_options()
    {
        Assert.Equal((0, "", ""), WorkloadProcess.Run("-quiet", "-serializer", "#SystemTextJson", "-n", "1", "-runs", "1"));
        var (exitCode, output, _) = WorkloadProcess.Run("-HELP");
        Assert.Equal(0, exitCode);
        Assert.All(
            [
                "-serializer",
                "-test",
                "-n",
                "-runs",
                "-payload",
                "-stream",
                "-threads",
                "-seed",
                "-keep",
                "-out",
                "-noheader",
                "-verify",
                "-steady",
                "-list",
                "-csv",
            ],
            name => Assert.Contains($" {name}", output, StringComparison.Ordinal)
        );
        Assert.DoesNotContain("-quiet", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    public async Task A_signal_ends_the_suite_after_the_current_run_with_what_was_measured(string signal)
    {
        Signals.SkipUnlessHeard(signal);

        using var workload = WorkloadProcess.Start("-serializer", "#SystemTextJson", "-n", "1000", "-runs", "10000", "-csv", _csv);
        await Wait.UntilAsync(
            () => File.Exists(_csv) && File.ReadAllText(_csv).Count(character => character == '\n') >= 50,
            "measured runs",
            () => workload.HasExited
        );

        using (var kill = Process.Start("kill", [$"-{signal}", $"{workload.Id}"]))
            await Wait.ForExitAsync(kill);
        var (exitCode, output, error) = workload.End();

        Assert.Equal(130, exitCode);
        Assert.Empty(error);
        Assert.Equal(HeaderLines + 1, output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.All(Rows(), row => Assert.Empty(row["error"]));
    }

    private static long CpuNanoseconds(Dictionary<string, string> row) => long.Parse(row["thread_cpu_ns"]);

    private List<Dictionary<string, string>> Rows()
    {
        using var reader = CsvReader.FromFile(_csv, CsvReaderOptions.Default);
        var rows = new List<Dictionary<string, string>>();
        while (reader.Read())
            rows.Add(RunCsv.Columns.ToDictionary(column => column, reader.GetString));
        return rows;
    }
}
