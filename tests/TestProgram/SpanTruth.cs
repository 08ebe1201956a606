using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Globalization;

/// <summary>
/// Start/stop pairs of an event source and activities, one after the other, nested, at the same time and across threads. Prints a line for
/// each: its name, and the clock just before and just after its start was written and its stop was written, in ns of CLOCK_MONOTONIC. The
/// times in a trace lie between these.
/// </summary>
internal static class SpanTruth
{
    private static readonly ActivitySource s_work = new("SpanTruth.Work");
    private static readonly List<string> s_lines = [];

    public static async Task Run()
    {
        for (var i = 0; i < 5; i++)
            Request("/orders", () => Thread.Sleep(4));
        for (var i = 0; i < 3; i++)
            Request("/items", () => Request("/items/price", () => Thread.Sleep(3)));
        Request(
            "/collect",
            () =>
            {
                Thread.Sleep(1);
                GC.Collect();
            }
        );

        // Two threads, each with its own requests at the same time.
        var threads = Enumerable
            .Range(0, 2)
            .Select(_ => new Thread(() =>
            {
                for (var i = 0; i < 3; i++)
                {
                    Request(
                        "/slow",
                        () =>
                        {
                            Thread.Sleep(8);
                            GC.Collect(0);
                        }
                    );
                }
            }))
            .ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());

        // Several at the same time that change threads.
        await Task.WhenAll(Enumerable.Range(0, 6).Select(number => Task.Run(() => RequestAsync($"/async/{number % 2}", 5 + number))));

        SpanSource.Log.BatchBegin(1);
        for (var i = 0; i < 4; i++)
            Batch(i);
        SpanSource.Log.BatchEnd();
        SpanSource.Log.BatchEnd();

        for (var i = 0; i < 3; i++)
            Ship(i);
        await Task.WhenAll(Enumerable.Range(0, 4).Select(number => Task.Run(() => PackAsync(4 + number))));
        s_lines.ForEach(Console.WriteLine);
    }

    private static void Request(string path, Action work)
    {
        var before = Stopwatch.GetTimestamp();
        SpanSource.Log.RequestStart(path, 1);
        var started = Stopwatch.GetTimestamp();
        work();
        var ending = Stopwatch.GetTimestamp();
        SpanSource.Log.RequestStop();
        Say($"Request: {path}", before, started, ending);
    }

    private static async Task RequestAsync(string path, int milliseconds)
    {
        var before = Stopwatch.GetTimestamp();
        SpanSource.Log.RequestStart(path, 1);
        var started = Stopwatch.GetTimestamp();
        await Task.Delay(milliseconds);
        var ending = Stopwatch.GetTimestamp();
        SpanSource.Log.RequestStop();
        Say($"Request: {path}", before, started, ending);
    }

    private static void Batch(int number)
    {
        var before = Stopwatch.GetTimestamp();
        SpanSource.Log.BatchBegin(number);
        var started = Stopwatch.GetTimestamp();
        Thread.Sleep(2 + number);
        var ending = Stopwatch.GetTimestamp();
        SpanSource.Log.BatchEnd();
        Say("BatchBegin", before, started, ending);
    }

    private static void Ship(int number)
    {
        var before = Stopwatch.GetTimestamp();
        var activity = s_work.StartActivity("Ship");
        var started = Stopwatch.GetTimestamp();
        Thread.Sleep(2 + number);
        var ending = Stopwatch.GetTimestamp();
        activity?.Dispose();
        Say("Ship", before, started, ending);
    }

    private static async Task PackAsync(int milliseconds)
    {
        var before = Stopwatch.GetTimestamp();
        var activity = s_work.StartActivity("Pack");
        var started = Stopwatch.GetTimestamp();
        if (activity is not null)
            activity.DisplayName = milliseconds % 2 == 0 ? "pack small" : "pack large";
        await Task.Delay(milliseconds);
        var ending = Stopwatch.GetTimestamp();
        activity?.Dispose();
        Say($"Pack: {(milliseconds % 2 == 0 ? "pack small" : "pack large")}", before, started, ending);
    }

    private static void Say(string name, long before, long started, long ending)
    {
        var ended = Stopwatch.GetTimestamp();
        lock (s_lines)
            s_lines.Add(string.Create(CultureInfo.InvariantCulture, $"{before} {started} {ending} {ended} {name}"));
    }
}

/// <summary>The events of <see cref="SpanTruth"/>.</summary>
[EventSource(Name = "EspTest-Spans")]
internal sealed class SpanSource : EventSource
{
    public static readonly SpanSource Log = new();

    [Event(1, ActivityOptions = EventActivityOptions.Recursive)]
    public void RequestStart(string path, int count) => WriteEvent(1, path, count);

    [Event(2, ActivityOptions = EventActivityOptions.Recursive)]
    public void RequestStop() => WriteEvent(2);

    [Event(3)]
    public void BatchBegin(int number) => WriteEvent(3, number);

    [Event(4)]
    public void BatchEnd() => WriteEvent(4);
}
