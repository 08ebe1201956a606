using System.Collections.Concurrent;
using System.Diagnostics;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Runs;

[Trait(TestKind.Trait, TestKind.Records)]
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
                "error: Serialize Faulty n=3: System.InvalidOperationException: cannot write; 2 runs skipped",
            ],
            _error.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries)
        );
        Assert.StartsWith("Serialize        XmlSerializer", _output.ToString(), StringComparison.Ordinal);
        var rows = File.ReadAllLines(_csv);
        // The header; 40 runs that settle or are rehearsed, two of them failed; warm-up and measured runs.
        Assert.Equal(1 + 40 + (1 + 2), rows.Length);
        Assert.Equal(rows.Length - 1, Rows().Last().Planned); // skipped runs are no longer planned
        // The memory of this process is not that of one serializer.
        Assert.All(rows.Skip(1), row => Assert.Equal("-1", Cell(row.Split(','), "peak_working_set_bytes")));
        Assert.Equal("System.InvalidOperationException: cannot write", Cell(rows[1].Split(','), "error"));
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
        Assert.Contains(
            "the round trip fails: System.InvalidOperationException: cannot read <- System.IO.InvalidDataException: no data",
            _error.ToString(),
            StringComparison.Ordinal
        );
        Assert.Contains("verified: 0 of 1 round trips are equal to the original", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Threads_share_one_serializer_and_have_graphs_and_streams_of_their_own()
    {
        using var seen = new Meeting(parties: 3);
        Assert.Equal(0, Run([Described(_ => seen)], SuiteTest.Serialize, threads: 3));

        // Settling has one thread; warm-up, two measured runs and the verification have three, which wait in the serializer until
        // all have arrived.
        Assert.Equal(4, seen.Meetings);
        Assert.Equal(3, seen.Last.Select(call => call.Graph).Distinct(ReferenceEqualityComparer.Instance).Count());
        Assert.Equal(3, seen.Last.Select(call => call.Stream).Distinct(ReferenceEqualityComparer.Instance).Count());
        Assert.Contains("Serialize x3     Meeting", _output.ToString(), StringComparison.Ordinal);
        Assert.All(
            File.ReadAllLines(_csv).Skip(1),
            row => Assert.Equal(row.Contains(",3,0,", StringComparison.Ordinal) ? "3" : "1", row.Split(',')[11])
        );
        // Data_bytes: one thread's.
        Assert.All(File.ReadAllLines(_csv).Skip(1), row => Assert.Contains(",1,.NET", row, StringComparison.Ordinal));
    }

    [Fact]
    public void An_exception_in_any_thread_is_the_runs_error()
    {
        using var failing = new Meeting(parties: 3) { FailsFor = 3 };
        Assert.Equal(1, Run([Described(_ => failing)], SuiteTest.Serialize, threads: 3));
        Assert.Contains(
            "error: Serialize x3 Meeting n=3: System.InvalidOperationException: one of three; 2 runs skipped",
            _error.ToString(),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData(SuiteTest.Serialize)]
    [InlineData(SuiteTest.Deserialize)]
    [InlineData(SuiteTest.Combined)]
    public void Data_and_serializer_are_made_before_the_clock_starts(SuiteTest test)
    {
        var made = new ConcurrentQueue<long>();
        var serializer = new SerializerDescription(
            "Timed",
            DataFormat.Text,
            () => typeof(SuiteRunnerTests).Assembly,
            () => new TimedModel(made),
            _ =>
            {
                made.Enqueue(Stopwatch.GetTimestamp());
                return new SystemTextJson<BookShelf>(SerializerSettings.Default);
            }
        );

        Assert.Equal(0, Run([serializer], test, threads: 2));

        var runs = File.ReadAllLines(_csv)
            .Skip(1)
            .Select(row => row.Split(','))
            .Select(row => (Start: long.Parse(row[12]), Stop: long.Parse(row[13])))
            .ToList();
        Assert.True(made.Count >= 2 + 3 + 3, "settling, two threads, verification"); // each with the serializer or its graph
        Assert.All(made, time => Assert.DoesNotContain(runs, run => run.Start <= time && time <= run.Stop));
        Assert.Contains(made, time => time < runs[0].Start);
    }

    [Fact]
    public void On_a_machine_that_stays_slow_three_times_the_runs_are_made_and_all_are_written()
    {
        var machine = new SteadyMachine(() => 1, _ => { }); // against a best of 1 ns every run's machine is slow

        Assert.Equal(0, Run([SerializerRegistry.All[0]], SuiteTest.Serialize, steady: machine));

        var measured = Rows().Where(row => row.Kind == nameof(RunKind.Measured)).ToList();
        Assert.Equal(Enumerable.Range(1, 6), measured.Select(row => row.Number));
        Assert.Equal(File.ReadAllLines(_csv).Length - 1, measured[^1].Planned); // all runs of the final plan were made
        Assert.Contains(
            "ms of 6 runs, 4 repeated on a slow machine, which stayed slow: 6 slow runs in total  data",
            _output.ToString(),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void As_many_runs_are_made_again_as_the_machine_was_slow_in()
    {
        var machine = new SteadyMachine(() => long.MaxValue / 2, _ => { }); // only the runs' own readings count

        Assert.Equal(0, Run([SerializerRegistry.All[0], SerializerRegistry.All[1]], SuiteTest.Serialize, steady: machine, runs: 5));

        // The machine's activity is written in addition to the runs.
        var best = long.MaxValue;
        var made = new List<(int Number, bool IsSlow)>();
        foreach (var row in Rows())
        {
            best = Math.Min(best, Math.Min(row.Before, row.After));
            if (row.Kind == nameof(RunKind.Measured))
                made.Add(
                    (
                        row.Number,
                        Math.Max(row.Before, row.After) > best * SpeedProbe.SlowFactor
                            || row.IdleNanoseconds > Math.Max(SteadyMachine.MaxGap * row.Nanoseconds, SteadyMachine.MinGapNanoseconds)
                    )
                );
        }

        Assert.Equal(2, made.Count(run => run.Number == 1));
        foreach (
            var series in made.Select((run, index) => (run, Series: made.Take(index + 1).Count(other => other.Number == 1)))
                .GroupBy(run => run.Series, run => run.run)
        )
        {
            var steady = series.Count(run => !run.IsSlow);
            Assert.Equal(Enumerable.Range(1, series.Count()), series.Select(run => run.Number));
            Assert.True(series.Count() == 15 ? steady <= 5 : steady == 5, $"{steady} steady runs of {series.Count()}");
            Assert.True(series.Count() is 5 or 15 || !series.Last().IsSlow, "the last one was not needed");
        }
    }

    [Fact]
    public void Settling_calls_the_operation_in_rounds_as_often_as_a_tier_takes_and_every_third_time_with_the_large_graph()
    {
        var counting = new CountingSerializer();
        Assert.Equal(0, Run([Described(_ => counting)], SuiteTest.Serialize));

        Assert.Equal(40 + 1 + 2, Rows().Count()); // rehearsed up to 40, then the measured series' warm-up and runs
        Assert.Equal(10_000, counting.First);
        var (rounds, others) = Math.DivRem(counting.Calls[20] - 39, 35); // without the rehearsed runs
        Assert.Equal(0, others);
        Assert.InRange(rounds, 6, 60);
        Assert.Equal(1 + ((rounds + 2) / 3), counting.Calls[10_000]); // with the first use
        var unsettled = File.ReadAllLines(_csv).Skip(1).Select(row => long.Parse(Cell(row.Split(','), "unsettled_methods"))).ToList();
        Assert.All(unsettled.Take(41), methods => Assert.Equal(-1, methods)); // only of measured runs
        Assert.All(unsettled.Skip(41), methods => Assert.True(rounds < 60 ? methods == 0 : methods >= 0));
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

        AssertFails(new ChildProcess("/does/not/exist", [], Wait.Limit), "could not be started");
        AssertFails(new ChildProcess("/bin/sh", ["-c", "echo broken >&2; exit 7"], Wait.Limit), "exit code 7: broken");
        AssertFails(new ChildProcess("/bin/sh", ["-c", "exec sleep infinity"], TimeSpan.FromMilliseconds(200)), "did not end within 0.2 s");
        AssertFails(new ChildProcess("/bin/sh", ["-c", "echo nonsense"], Wait.Limit), "'nonsense' is not the answer");

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
        var arguments = new FirstCallArguments(
            identity,
            8,
            StreamKind.File,
            "/tmp/data file",
            "",
            new SerializerOrigin("/a b.dll", "/c d.dll!E", ReferenceTracking: true),
            LaunchedTicks: 1_234_567_890_123
        );

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
            var sizes = Enumerable
                .Range(0, 3)
                .Select(_ =>
                {
                    workload.Reset();
                    return workload.Operation();
                })
                .Distinct();
            Assert.InRange(Assert.Single(sizes), 500, 2_000);
        }
    }

    private int Run(
        IReadOnlyList<SerializerDescription> serializers,
        SuiteTest test,
        bool stopped = false,
        ChildProcess? processes = null,
        int threads = 1,
        SteadyMachine? steady = null,
        int runs = 2
    )
    {
        var options = new SuiteOptions
        {
            Tests = [test],
            ObjectCounts = [3],
            Runs = runs,
            Threads = [threads],
        };
        var console = new SuiteConsole(_output, _error, quiet: false);
        var plan = RunPlan.Of(options, serializers);
        using var clock = new RunClock();
        using var csv = new RunCsv(_csv);
        using var firstCalls = new FirstCallRunner(processes ?? ChildProcess.OfThisExecutable(Wait.Limit), options.Stream, _csv);
        var runner = new SuiteRunner(clock, csv, firstCalls, console, options.Stream, new CancellationToken(stopped), steady: steady);
        runner.Run(plan);
        Assert.Equal(clock.Runs, clock.MarkerWaits);
        if (console.Errors == 0)
            runner.Verify(plan);
        return console.Errors;
    }

    /// <summary>The run CSV's columns on kind, number and plan of each run, and on the machine.</summary>
    private IEnumerable<(
        string Kind,
        int Number,
        int Planned,
        long Before,
        long After,
        double Nanoseconds,
        double IdleNanoseconds
    )> Rows() =>
        File.ReadAllLines(_csv)
            .Skip(1)
            .Select(row => row.Split(','))
            .Select(row =>
            {
                var wall = (long.Parse(row[13]) - long.Parse(row[12])) * 1e9 / long.Parse(row[14]);
                return (
                    row[7],
                    int.Parse(row[10]),
                    int.Parse(row[2]),
                    long.Parse(Cell(row, "probe_before_ns")),
                    long.Parse(Cell(row, "probe_after_ns")),
                    wall,
                    OperatingSystem.IsWindows() ? 0 : wall - long.Parse(row[15])
                );
            });

    /// <summary>A cell near the end of a row; quoted commas may be before it.</summary>
    private static string Cell(string[] row, string column) =>
        row[row.Length - RunCsv.Columns.Count + RunCsv.Columns.ToList().IndexOf(column)];

    private static SerializerDescription Faulty(bool writes, bool reads) =>
        new(
            "Faulty",
            DataFormat.Text,
            () => typeof(SuiteRunnerTests).Assembly,
            () => new BookShelfModel(),
            _ => new FaultySerializer(writes, reads)
        );

    private static SerializerDescription Described(Func<SerializerSettings, Serializer> construct) =>
        new("Meeting", DataFormat.Text, () => typeof(SuiteRunnerTests).Assembly, () => new BookShelfModel(), construct);

    /// <summary>
    /// Writes when all threads of a run are in it at the same time. Calls that settle, which have more objects and one thread, need no one
    /// else.
    /// </summary>
    private sealed class Meeting(int parties) : Serializer, IDisposable
    {
        private readonly Barrier _barrier = new(parties);
        private int _calls;

        /// <summary>Number of the call in a meeting that throws, 0 for none.</summary>
        public int FailsFor { get; init; }

        public long Meetings => _barrier.CurrentPhaseNumber;

        public ConcurrentQueue<(object Graph, Stream Stream)> Last { get; private set; } = [];

        public override void Serialize(Stream stream, object graph)
        {
            if (((BookShelf)graph).Books.Count == 3)
            {
                var call = Interlocked.Increment(ref _calls) % parties;
                if (call == 1)
                    Last = [];
                Assert.True(_barrier.SignalAndWait(Wait.Limit), "the threads do not run at the same time");
                if (FailsFor > 0 && call == FailsFor % parties)
                    throw new InvalidOperationException("one of three");
                Last.Enqueue((graph, stream));
            }

            stream.WriteByte(1);
        }

        public override object Deserialize(Stream stream) => new BookShelfModel().Create(3, 0);

        public void Dispose() => _barrier.Dispose();
    }

    /// <summary>Counts its calls by the objects of the graph.</summary>
    private sealed class CountingSerializer : Serializer
    {
        public Dictionary<int, int> Calls { get; } = [];

        /// <summary>Objects of the first graph.</summary>
        public int First { get; private set; }

        public override void Serialize(Stream stream, object graph)
        {
            var objects = ((BookShelf)graph).Books.Count;
            if (First == 0)
                First = objects;
            Calls[objects] = Calls.GetValueOrDefault(objects) + 1;
            stream.WriteByte(1);
        }

        public override object Deserialize(Stream stream) => new BookShelfModel().Create(3, 0);
    }

    /// <summary>Records when it creates a graph.</summary>
    private sealed class TimedModel(ConcurrentQueue<long> made) : GraphModel<BookShelf>
    {
        private readonly BookShelfModel _model = new();

        protected override BookShelf CreateGraph(int objectCount, int payloadBytes)
        {
            made.Enqueue(Stopwatch.GetTimestamp());
            return (BookShelf)_model.Create(objectCount, payloadBytes);
        }

        protected override long TouchGraph(BookShelf graph) => _model.Touch(graph);
    }

    private sealed class FaultySerializer(bool writes, bool reads) : Serializer
    {
        public override void Serialize(Stream stream, object graph)
        {
            if (!writes)
                throw new InvalidOperationException("cannot write");
        }

        public override object Deserialize(Stream stream) =>
            reads ? new BookShelf() : throw new InvalidOperationException("cannot read", new InvalidDataException("no data"));
    }
}
