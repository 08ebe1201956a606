using System.Collections.Concurrent;
using System.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Marks.Tests;

// The hand-written event data has to match the declared signature; a listener decodes it by the latter.
[CollectionDefinition(nameof(RunEventSourceTests), DisableParallelization = true)]
[Collection(nameof(RunEventSourceTests))]
public sealed class RunEventSourceTests
{
    private static readonly string[] s_identityNames =
    [
        "runId",
        "serializer",
        "library",
        "libraryVersion",
        "operation",
        "kind",
        "objectCount",
        "payloadBytes",
        "runNumber",
        "threadCount",
    ];

    private static readonly object[] s_identityValues =
    [
        41,
        "Serializer \"ü\"",
        "Some.Library",
        "1.2.3",
        "Deserialize",
        2,
        1_000,
        25,
        7,
        3,
    ];

    private static readonly string[] s_truthNames =
    [
        "startTicks",
        "stopTicks",
        "ticksPerSecond",
        "threadCpuNanoseconds",
        "allocatedBytes",
        "gen0",
        "gen1",
        "gen2",
        "dataBytes",
        "error",
    ];

    private static readonly object[] s_truthValues =
    [
        long.MaxValue - 1,
        long.MaxValue,
        1_000_000_000L,
        5_555_555_555L,
        6_666_666_666L,
        11,
        12,
        13,
        -1L,
        "Some.Exception: text",
    ];

    [Fact]
    public void RunStart_carries_what_was_passed()
    {
        var written = Written(() =>
            RunEventSource.Log.RunStart(41, "Serializer \"ü\"", "Some.Library", "1.2.3", "Deserialize", 2, 1_000, 25, 7, 3)
        );

        var data = Assert.Single(written, data => data.EventId == 1);
        Assert.Equal("RunStart", data.EventName);
        Assert.Equal(s_identityNames, data.PayloadNames);
        Assert.Equal(s_identityValues, data.Payload);
    }

    [Fact]
    public void RunStop_carries_what_was_passed()
    {
        var written = Written(() =>
            RunEventSource.Log.RunStop(
                41,
                "Serializer \"ü\"",
                "Some.Library",
                "1.2.3",
                "Deserialize",
                2,
                1_000,
                25,
                7,
                3,
                long.MaxValue - 1,
                long.MaxValue,
                1_000_000_000,
                5_555_555_555,
                6_666_666_666,
                11,
                12,
                13,
                -1,
                "Some.Exception: text"
            )
        );

        var data = Assert.Single(written, data => data.EventId == 2);
        Assert.Equal("RunStop", data.EventName);
        Assert.Equal([.. s_identityNames, .. s_truthNames], data.PayloadNames);
        Assert.Equal([.. s_identityValues, .. s_truthValues], data.Payload);
    }

    [Fact]
    public void Empty_texts_stay_empty()
    {
        var written = Written(() => RunEventSource.Log.RunStart(1, "", "", "", "", 0, 0, 0, 1, 1));

        Assert.Equal([1, "", "", "", "", 0, 0, 0, 1, 1], Assert.Single(written, data => data.EventId == 1).Payload);
    }

    /// <summary>The short form: runs of one name, operation, count and kind are numbered.</summary>
    [Fact]
    public void Runs_of_ones_own_benchmark_are_numbered_by_series()
    {
        var written = Written(() =>
        {
            using var clock = new RunClock(probesSpeed: false);
            clock.Measure("Mine", RunOperation.Serialize, 1000, static () => { }, RunKind.WarmUp);
            clock.Measure("Mine", RunOperation.Serialize, 1000, static () => { });
            clock.Measure("Mine", RunOperation.Serialize, 1000, static () => throw new InvalidDataException("broken"));
            clock.Measure("Mine", RunOperation.Serialize, 2000, static () => { });
        });

        var stops = written.Where(data => data.EventId == 2).Select(data => data.Payload!).ToList();
        Assert.Equal(
            [
                ("Mine", "Serialize", 1, 1000, 1),
                ("Mine", "Serialize", 0, 1000, 1),
                ("Mine", "Serialize", 0, 1000, 2),
                ("Mine", "Serialize", 0, 2000, 1),
            ],
            stops.Select(stop => ((string)stop[1]!, (string)stop[4]!, (int)stop[5]!, (int)stop[6]!, (int)stop[8]!))
        );
        Assert.Equal(["", "", "System.IO.InvalidDataException: broken", ""], stops.Select(stop => (string)stop[^1]!));
    }

    [Fact]
    public void ProcessLaunched_carries_what_was_passed()
    {
        var data = Assert.Single(Written(() => RunEventSource.Log.ProcessLaunched(41, long.MaxValue - 2)), data => data.EventId == 5);
        Assert.Equal(["runId", "launchedTicks"], data.PayloadNames);
        Assert.Equal([41, long.MaxValue - 2], data.Payload);
    }

    [Fact]
    public void The_first_run_of_a_process_says_when_it_was_launched()
    {
        var launched = System.Diagnostics.Stopwatch.GetTimestamp();
        RunMeasurement first = default,
            second = default;
        var written = Written(() =>
        {
            using var clock = new RunClock { LaunchedTicks = launched };
            first = clock.Measure(TestRuns.Identity(), () => 1);
            second = clock.Measure(TestRuns.Identity(), () => 1);
        });

        Assert.Equal([1, launched], Assert.Single(written, data => data.EventName == "ProcessLaunched").Payload);
        Assert.Equal((launched, -1L), (first.LaunchedTicks, second.LaunchedTicks));
        Assert.InRange(first.StartTicks, launched, second.StartTicks);
    }

    [Fact]
    public void A_run_writes_its_marks_in_order_from_two_threads()
    {
        const string Here = "measuring thread";
        using var listener = new Listener();
        listener.EnableEvents(RunEventSource.Log, EventLevel.Informational);
        var thread = new Thread(() =>
        {
            using var clock = new RunClock();
            clock.Measure(TestRuns.Identity(), () => 99);
        })
        {
            Name = Here,
        };
        thread.Start();
        thread.Join();
        var written = listener.Events.ToArray();

        Assert.Equal(["MarkerWaiting", "RunStart", "RunClockStopped", "RunStop"], written.Select(data => data.EventName));
        Assert.All(written, data => Assert.Equal(1, data.Payload![0]));
        Assert.Equal([RunMarker.ThreadName, Here, Here, Here], listener.Threads);
        Assert.Equal(99L, written[3].Payload![written[3].PayloadNames!.IndexOf("dataBytes")]);
    }

    private static EventWrittenEventArgs[] Written(Action action)
    {
        using var listener = new Listener();
        listener.EnableEvents(RunEventSource.Log, EventLevel.Informational);
        action();
        return [.. listener.Events];
    }

    private sealed class Listener : EventListener
    {
        public ConcurrentQueue<EventWrittenEventArgs> Events { get; } = new();

        public ConcurrentQueue<string?> Threads { get; } = new();

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventSource.Name != RunEventSource.ProviderName)
                return;
            Threads.Enqueue(Thread.CurrentThread.Name);
            Events.Enqueue(eventData);
        }
    }
}
