using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>Pairs of events that delimit runs, with made-up events.</summary>
public sealed class EventPairingTests
{
    [Fact]
    public void Nested_pairs_of_a_thread_close_from_the_inside()
    {
        var runs = Pair(Start(10, 1, "outer"), Start(20, 1, "inner"), Stop(30, 1), Stop(50, 1));

        Assert.Equal([new("outer", 10, 50, 1), new("inner", 20, 30, 1)], runs.Runs);
        Assert.Equal(2, runs.MaxOpen);
    }

    [Fact]
    public void Pairs_of_two_threads_overlap()
    {
        var runs = Pair(Start(10, 1, "a"), Start(20, 2, "b"), Stop(30, 1), Stop(40, 2));

        Assert.Equal([new("a", 10, 30, 1), new("b", 20, 40, 2)], runs.Runs);
        Assert.Equal(2, runs.MaxOpen);
    }

    [Fact]
    public void An_activity_follows_its_run_to_another_thread()
    {
        var runs = Pair(Start(10, 1, "a", "A"), Start(20, 1, "b", "B"), Stop(30, 2, "A"), Stop(40, 1, "B"));

        Assert.Equal([new("a", 10, 30, null), new("b", 20, 40, 1)], runs.Runs);
    }

    [Fact]
    public void An_end_in_an_ambient_activity_closes_the_begin_of_its_thread()
    {
        var runs = Pair(Start(10, 1, "a", "A"), Start(20, 2, "b", "A"), Stop(30, 1, "A"), Stop(40, 2, "A"));

        Assert.Equal([new("a", 10, 30, 1), new("b", 20, 40, 2)], runs.Runs);
    }

    [Fact]
    public void Runs_of_a_thread_that_cross_are_not_its_own()
    {
        var runs = Pair(
            Start(10, 1, "a", "A"),
            Start(20, 1, "b", "B"),
            Stop(30, 1, "A"),
            Stop(40, 1, "B"),
            Start(50, 1, "c", "C"),
            Stop(60, 1, "C")
        );

        Assert.Equal([null, null, 1], runs.Runs.Select(run => run.ThreadId));
    }

    [Fact]
    public void Events_without_a_partner_are_counted()
    {
        var runs = Pair(Stop(5, 1), Start(10, 1, "a"), Stop(20, 1), Start(30, 2, "b"), Stop(40, 1), Start(50, 3, "c", "C"));

        Assert.Equal((1, 2, 2), (runs.Runs.Count, runs.WithoutBegin, runs.WithoutEnd));
        Assert.Equal(1, runs.MaxOpen);
    }

    [Fact]
    public void The_end_may_know_the_name() =>
        Assert.Equal("GET: /orders/{id}", Assert.Single(Pair(Start(10, 1, "GET", "A"), Stop(20, 2, "A", "GET: /orders/{id}")).Runs).Name);

    [Theory]
    [InlineData("Request/Start", "Request", true)]
    [InlineData("RequestStop", "Request", false)]
    [InlineData("RequestStart/Start", "Request", true)]
    [InlineData("GC/SuspendEEStart", "GC/SuspendEE", true)]
    [InlineData("Start", null, false)]
    [InlineData("Request/Send", null, false)]
    public void Names_of_events_say_what_begins_and_ends(string name, string? task, bool isStart) =>
        Assert.Equal(task is null ? null : (task, isStart), EventPairs.EdgeOf(name));

    [Theory]
    [InlineData("My-App/Request", false, "My-App", "Request")]
    [InlineData("activity:Ship", true, "", "Ship")]
    [InlineData("activity:My.Source/GET /orders", true, "My.Source", "GET /orders")]
    public void What_the_user_writes_names_events(string text, bool isActivity, string provider, string task)
    {
        var events = RunEvents.Parse(text)!;

        Assert.Equal((isActivity, provider, task), (events.IsActivity, events.Provider, events.Task));
    }

    [Fact]
    public void Two_events_may_be_named() => Assert.Equal(("Begin", "End"), RunEvents.Parse("My-App/Begin, End")!.Named);

    [Theory]
    [InlineData("")]
    [InlineData("Request")]
    [InlineData("/Request")]
    [InlineData("My-App/")]
    [InlineData("My-App/A,")]
    [InlineData("My-App/A,B,C")]
    [InlineData("activity:")]
    public void Other_texts_name_none(string text) => Assert.Null(RunEvents.Parse(text));

    private static EventRuns Pair(params RunEdge[] edges) => EventPairing.Pair(edges, "test");

    private static RunEdge Start(long time, long thread, string name, string activity = "") => new(true, time, 1, thread, activity, name);

    private static RunEdge Stop(long time, long thread, string activity = "", string name = "") =>
        new(false, time, 1, thread, activity, name);
}
