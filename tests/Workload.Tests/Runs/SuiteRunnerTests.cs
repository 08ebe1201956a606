using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Runs;

public sealed class SuiteRunnerTests : IDisposable
{
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();
    private readonly string _csv = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());

    public void Dispose()
    {
        File.Delete(_csv);
        _output.Dispose();
        _error.Dispose();
    }

    [Fact]
    public void A_serializer_that_throws_is_recorded_and_the_others_go_on()
    {
        var errors = Run([Faulty(writes: false, reads: true), SerializerRegistry.All[0]], SuiteTest.Serialize);

        Assert.Equal(1, errors);
        Assert.Equal(
            [
                "warning: Serialize Faulty: the warm-up failed: System.InvalidOperationException: cannot write",
                "error: Serialize Faulty n=3: System.InvalidOperationException: cannot write; 2 runs left of it skipped",
            ],
            _error.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries));
        Assert.StartsWith("Serialize        XmlSerializer", _output.ToString(), StringComparison.Ordinal);
        var rows = File.ReadAllLines(_csv);
        Assert.InRange(rows.Length, 1 + (1 + 1) + (2 + 3), 1 + (1 + 1) + (12 + 3));
        Assert.EndsWith("System.InvalidOperationException: cannot write,-1", rows[1], StringComparison.Ordinal);
    }

    [Fact]
    public void A_serializer_that_cannot_write_what_it_should_read_is_recorded_too()
    {
        Assert.Equal(1, Run([Faulty(writes: false, reads: true)], SuiteTest.Deserialize));
        Assert.Contains(",Deserialize,WarmUp,", File.ReadAllLines(_csv)[1], StringComparison.Ordinal);
    }

    [Fact]
    public void Verification_reports_a_round_trip_that_differs_and_one_that_fails()
    {
        Assert.Equal(1, Run([Faulty(writes: true, reads: true)], SuiteTest.Serialize));
        Assert.Contains("the round trip differs: shelf title is ''", _error.ToString(), StringComparison.Ordinal);
        Assert.Equal(1, Run([Faulty(writes: true, reads: false)], SuiteTest.Serialize));
        Assert.Contains("the round trip fails: System.InvalidOperationException: cannot read", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_stop_lets_nothing_more_run()
    {
        Assert.Equal(0, Run(SerializerRegistry.All, SuiteTest.Serialize, stopped: true));
        Assert.Empty(_output.ToString());
        Assert.Single(File.ReadAllLines(_csv));
    }

    [Fact]
    public void A_first_call_whose_process_cannot_start_fails_or_hangs_is_reported()
    {
        if (OperatingSystem.IsWindows())
            return; // the processes used here are those of a Unix

        AssertFails(new ChildProcess("/does/not/exist", [], TimeSpan.FromSeconds(9)), "could not be started");
        AssertFails(new ChildProcess("/bin/sh", ["-c", "echo broken >&2; exit 7"], TimeSpan.FromSeconds(9)), "exit code 7: broken");
        AssertFails(new ChildProcess("/bin/sh", ["-c", "sleep 60"], TimeSpan.FromMilliseconds(200)), "did not end within 0.2 s");
        AssertFails(new ChildProcess("/bin/sh", ["-c", "echo nonsense"], TimeSpan.FromSeconds(9)), "'nonsense' is not the answer");

        void AssertFails(ChildProcess processes, string message)
        {
            Assert.Equal(4, Run([SerializerRegistry.All[0]], SuiteTest.FirstCall, processes: processes));
            Assert.Contains(message, _error.ToString(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void First_call_arguments_are_read_as_they_were_written()
    {
        var identity = new RunIdentity("A b", "Lib \"x\"", "1.2", RunOperation.FirstDeserialize, RunKind.FirstCall, 5, 6, 7, 1);
        var arguments = new FirstCallArguments(identity, 8, StreamKind.File, "/tmp/data file", "", LaunchedTicks: 1_234_567_890_123);

        Assert.Equal(arguments, FirstCallArguments.Read([.. arguments.ToArguments(), "1234567890123"]));
        Assert.Null(FirstCallArguments.Read([]));
        Assert.Null(FirstCallArguments.Read(["-n", "1"]));
        Assert.Throws<FormatException>(() => FirstCallArguments.Read([FirstCallArguments.Verb]));
    }

    [Theory]
    [InlineData(StreamKind.Memory)]
    [InlineData(StreamKind.File)]
    public void A_workload_can_be_run_again_with_the_same_result(StreamKind kind)
    {
        foreach (var operation in new[] { RunOperation.Serialize, RunOperation.Deserialize, RunOperation.Combined })
        {
            using var workload = new RunWorkload(SerializerRegistry.All[0], operation, 10, 0, kind);
            var sizes = Enumerable.Range(0, 3).Select(_ =>
            {
                workload.Reset();
                return workload.Operation();
            }).Distinct();
            Assert.InRange(Assert.Single(sizes), 500, 2_000);
        }
    }

    private int Run(IReadOnlyList<SerializerDescription> serializers, SuiteTest test, bool stopped = false, ChildProcess? processes = null)
    {
        var options = new SuiteOptions { Tests = [test], ObjectCounts = [3], Runs = 2 };
        var console = new SuiteConsole(_output, _error, quiet: false);
        var plan = RunPlan.Of(options, serializers);
        using var clock = new RunClock();
        using var csv = new RunCsv(_csv);
        using var firstCalls = new FirstCallRunner(processes ?? ChildProcess.OfThisExecutable(TimeSpan.FromSeconds(1)), options.Stream, _csv);
        var runner = new SuiteRunner(clock, csv, firstCalls, console, options.Stream, new CancellationToken(stopped));
        runner.Run(plan);
        Assert.Equal(clock.Runs, clock.MarkerWaits);
        if (console.Errors == 0)
            runner.Verify(plan);
        return console.Errors;
    }

    private static SerializerDescription Faulty(bool writes, bool reads)
        => new("Faulty", DataFormat.Text, () => typeof(SuiteRunnerTests).Assembly, () => new BookShelfModel(), _ => new FaultySerializer(writes, reads));

    private sealed class FaultySerializer(bool writes, bool reads) : Serializer
    {
        public override void Serialize(Stream stream, object graph)
        {
            if (!writes)
                throw new InvalidOperationException("cannot write");
        }

        public override object Deserialize(Stream stream) => reads ? new BookShelf() : throw new InvalidOperationException("cannot read");
    }
}
