using CsvHelper;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Runs.Isolation;
using EtwSerializerProfiler.Workload.Serializers;
using EtwSerializerProfiler.Workload.Tests.Commands;

namespace EtwSerializerProfiler.Workload.Tests.Runs.Isolation;

[Trait(TestKind.Trait, TestKind.Records)]
public sealed class IsolatedRunnerTests : IDisposable
{
    private static readonly IReadOnlyList<SerializerDescription> s_two = SerializerRegistry.Select([
        new("DataContract", true),
        new("Newtonsoft", false),
    ]);

    private readonly TempFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    private string Log => Path.Combine(_folder.Path, "log");

    public void Dispose()
    {
        _folder.Dispose();
        _output.Dispose();
        _error.Dispose();
    }

    [Fact]
    public void Each_serializer_has_processes_of_its_own_that_share_the_runs_and_every_row_is_whole()
    {
        var csv = Path.Combine(_folder.Path, "runs.csv");
        var (exitCode, output, error) = WorkloadProcess.Run(
            "-isolate",
            "on",
            "-serializer",
            "#DataContract,#SystemTextJson,#XmlSerializer,#Newtonsoft.Json",
            "-test",
            "serialize,firstcall,deserialize",
            "-n",
            "3",
            "-runs",
            "5",
            "-seed",
            "3",
            "-verify",
            "-csv",
            csv
        );

        Assert.True(exitCode == 0, error);
        Assert.EndsWith("verified: 4 of 4 round trips are equal to the original", output.TrimEnd(), StringComparison.Ordinal);
        var rows = Rows(csv);
        Assert.Equal(rows.Count.ToString(), rows[^1]["planned_runs"]);
        Assert.All(rows, row => Assert.Equal("", row["error"]));
        var measured = rows.Where(row => row["kind"] == nameof(RunKind.Measured)).ToList();
        Assert.All(
            measured.GroupBy(row => (row["serializer"], row["operation"])),
            row => Assert.Equal([2, 1, 1, 1], row.GroupBy(run => run["pid"]).Select(process => process.Count()))
        );
        Assert.All(
            rows.Where(row => row["kind"] != nameof(RunKind.FirstCall)).GroupBy(row => row["pid"]),
            process => Assert.Single(process.Select(row => row["serializer"]).Distinct())
        );
        Assert.All(rows, row => Assert.InRange(long.Parse(row["peak_working_set_bytes"]), 5_000_000, 5_000_000_000));
        var program = long.Parse(Assert.Single(rows.Select(row => row["program_bytes"]).Distinct()));
        Assert.True(program > new FileInfo(typeof(SerializerRegistry).Assembly.Location).Length);
        Assert.Equal(5 + (4 * 3 * 5), rows.Count(row => row["kind"] == nameof(RunKind.FirstCall)));

        // Measured runs and first uses are made while no other process makes a run.
        var alone = measured
            .Concat(rows.Where(row => row["kind"] == nameof(RunKind.WarmUp) && row["objects"] == "10000" && row["run"] == "1"))
            .ToList();
        Assert.Equal((4 * 2 * 5) + (4 * 2 * 4), alone.Count);
        Assert.All(
            alone,
            run => Assert.DoesNotContain(rows, other => other["pid"] != run["pid"] && Start(other) < Stop(run) && Start(run) < Stop(other))
        );
    }

    [Fact]
    public void Phases_are_requested_in_turn_and_settling_of_all_at_once()
    {
        if (OperatingSystem.IsWindows())
            Assert.Skip("the processes of this test are shells");

        // Each answers every phase with 10 runs.
        Assert.Equal(
            0,
            Run($"while read phase others; do echo \"$phase $others\" >> {Log}; echo for people; printf '\\001runs 10\\n'; done", runs: 2)
        );

        var perProcess = RunPlan.Of(new SuiteOptions { Tests = [SuiteTest.Serialize], Runs = 1 }, [s_two[0]]).TotalRuns + 39; // rehearsed
        var lines = File.ReadAllLines(Log);
        Assert.Equal(
            [
                "FirstUse",
                "FirstUse",
                "Settle",
                "Settle",
                "Measure",
                "Measure",
                "FirstUse",
                "FirstUse",
                "Settle",
                "Settle",
                "Measure",
                "Measure",
            ],
            lines.Select(line => line.Split(' ')[0])
        );
        Assert.Equal($"FirstUse {100 + (3 * perProcess)}", lines[0]);
        Assert.Equal($"FirstUse {100 + 10 + (2 * perProcess)}", lines[1]);
        Assert.Equal($"Measure {100 + 30}", lines[^1]);
        Assert.Equal(12, _output.ToString().Split('\n').Count(line => line == "for people"));
        Assert.Empty(_error.ToString());
    }

    [Fact]
    public void Lines_of_processes_that_write_at_the_same_time_stay_whole()
    {
        if (OperatingSystem.IsWindows())
            Assert.Skip("the processes of this test are shells");

        const string Line = "one of many lines";
        Run(
            $"while read phase others; do i=0; while [ $i -lt 3000 ]; do echo {Line}; i=$((i+1)); done; printf '\\001runs 10\\n'; done",
            runs: 2
        );

        var lines = _output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(2 * 2 * 3 * 3000, lines.Length);
        Assert.All(lines, line => Assert.Equal(Line, line));
    }

    [Fact]
    public void A_process_that_dies_is_named_and_the_others_continue()
    {
        if (OperatingSystem.IsWindows())
            Assert.Skip("the processes of this test are shells");

        // The arguments after the script contain the serializer's name.
        var exitCode = Run(
            $"case \"$*\" in *Newtonsoft*) read first; printf '\\001runs 4\\n'; exit 7;; esac; while read phase others; do echo \"$phase $others\" >> {Log}; printf '\\001runs 10\\n'; done",
            runs: 1
        );

        Assert.Equal(7, exitCode);
        Assert.Equal("error: Newtonsoft.Json: its process ended with exit code 7 before it completed its runs", _error.ToString().Trim());
        Assert.Equal(["FirstUse", "Settle", "Measure"], File.ReadAllLines(Log).Select(line => line.Split(' ')[0]));
        Assert.Equal($"Measure {100 + 4}", File.ReadAllLines(Log)[^1]);
    }

    [Fact]
    public void A_process_that_cannot_start_is_an_error()
    {
        var runner = Runner(new ChildProcess("/does/not/exist", [], Wait.Limit), runs: 1, CancellationToken.None);

        Assert.Equal(1, runner.Run([], otherRuns: 0));
        Assert.StartsWith("error: ", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_stop_ends_processes_that_wait_for_the_next_phase()
    {
        if (OperatingSystem.IsWindows())
            Assert.Skip("the processes of this test are shells");

        using var stop = new CancellationTokenSource();
        var runner = Runner(
            new ChildProcess("/bin/sh", ["-c", $"echo started >> {Log}; read first; while read next; do :; done", "sh"], Wait.Limit),
            runs: 1,
            stop.Token
        ); // never answers
        var running = Task.Run(() => runner.Run([], otherRuns: 0), TestContext.Current.CancellationToken);
        await Wait.UntilAsync(() => File.Exists(Log), "a process starts");
        await stop.CancelAsync();

        await running.WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);
    }

    [Theory]
    [InlineData(7, null, new[] { 2, 2, 2, 1 })]
    [InlineData(2, null, new[] { 1, 1 })]
    [InlineData(7, 2, new[] { 7, 7 })]
    public void The_runs_of_a_row_are_shared_unless_launches_are_requested(int runs, int? launches, int[] expected)
    {
        var options = new SuiteOptions
        {
            Runs = runs,
            Launches = launches,
            Isolate = true,
            Seed = 5,
            Keep = "x",
            Verify = true,
        };

        var each = Enumerable.Range(1, options.LaunchCount).Select(options.OfLaunch).ToList();

        Assert.Equal(expected, each.Select(launch => launch.Runs));
        Assert.Equal(Enumerable.Range(5, expected.Length), each.Select(launch => launch.Seed!.Value));
        Assert.All(each.Skip(1), launch => Assert.Equal(("", false), (launch.Keep, launch.Verify)));
        Assert.Equal(1, (options with { Isolate = null, Launches = null }).LaunchCount);
    }

    private int Run(string script, int runs) =>
        Runner(new ChildProcess("/bin/sh", ["-c", script, "sh"], Wait.Limit), runs, CancellationToken.None).Run(["-quiet"], otherRuns: 100);

    private IsolatedRunner Runner(ChildProcess processes, int runs, CancellationToken stop) =>
        new(
            processes,
            new SuiteConsole(_output, _error, quiet: true),
            _output,
            new SuiteOptions
            {
                Tests = [SuiteTest.Serialize, SuiteTest.FirstCall],
                Runs = runs,
                Isolate = true,
            },
            s_two,
            stop
        );

    private static List<Dictionary<string, string>> Rows(string csv)
    {
        using var reader = CsvReader.FromFile(csv, CsvReaderOptions.Default);
        var rows = new List<Dictionary<string, string>>();
        while (reader.Read())
            rows.Add(RunCsv.Columns.ToDictionary(column => column, reader.GetString));
        return rows;
    }

    private static long Start(Dictionary<string, string> row) => long.Parse(row["start_ticks"]);

    private static long Stop(Dictionary<string, string> row) => long.Parse(row["stop_ticks"]);
}
