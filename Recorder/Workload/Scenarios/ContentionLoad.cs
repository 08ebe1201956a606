using System.Diagnostics;
using System.Runtime.ExceptionServices;
using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>Threads that repeat the same request for a limited time. Used once.</summary>
/// <param name="threads">Number of threads.</param>
/// <param name="duration">Time after which threads begin no more requests.</param>
/// <param name="newRequest">Creates the request of one thread, with the thread's own data.</param>
public sealed class ContentionLoad(int threads, TimeSpan duration, Func<Action> newRequest) : IDisposable
{
    /// <summary>Initial capacity for latencies: far more requests than a row makes.</summary>
    private const int ExpectedRequests = 20_000;

    private readonly ManualResetEvent _start = new(false);
    private readonly CountdownEvent _ready = new(threads);
    private readonly List<long>[] _ticks = [.. Enumerable.Range(0, threads).Select(_ => new List<long>(ExpectedRequests))];
    private Thread[] _workers = [];
    private Exception? _failure;

    /// <summary>Starts the threads; each makes one request and then waits.</summary>
    public void Prepare()
    {
        _workers =
        [
            .. Enumerable
                .Range(0, threads)
                .Select(index => new Thread(() => Work(_ticks[index])) { IsBackground = true, Name = $"Request {index + 1}" }),
        ];
        foreach (var worker in _workers)
            worker.Start();
        _ready.Wait();
    }

    /// <summary>Releases the threads and waits for all.</summary>
    /// <exception cref="RunFailedException">A request threw.</exception>
    public void Run()
    {
        _start.Set();
        foreach (var worker in _workers)
            worker.Join();
        if (_failure is { } failure)
            ExceptionDispatchInfo.Capture(failure).Throw();
    }

    /// <summary>Latencies of all requests in ms, ascending.</summary>
    public double[] Latencies() => [.. _ticks.SelectMany(ticks => ticks).Select(ticks => ticks * 1000.0 / Stopwatch.Frequency).Order()];

    /// <summary>The smallest value that this share of the ascending values does not exceed (nearest rank).</summary>
    public static double Percentile(IReadOnlyList<double> ascending, double percent)
    {
        ArgumentNullException.ThrowIfNull(ascending);
        ArgumentOutOfRangeException.ThrowIfZero(ascending.Count);
        return ascending[Math.Clamp((int)Math.Ceiling(percent / 100 * ascending.Count) - 1, 0, ascending.Count - 1)];
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _start.Set();
        foreach (var worker in _workers)
            worker.Join();
        _start.Dispose();
        _ready.Dispose();
    }

    private void Work(List<long> ticks)
    {
        var signalled = false;
        try
        {
            var request = newRequest();
            request();
            signalled = true;
            _ready.Signal();
            _start.WaitOne();
            var end = Stopwatch.GetTimestamp() + (long)(duration.TotalSeconds * Stopwatch.Frequency);
            for (var begin = Stopwatch.GetTimestamp(); begin < end && _failure is null;)
            {
                request();
                var now = Stopwatch.GetTimestamp();
                ticks.Add(now - begin);
                begin = now;
            }
        }
#pragma warning disable CA1031 // any exception of a serializer is the row's result
        catch (Exception exception)
#pragma warning restore CA1031
        {
            Interlocked.CompareExchange(ref _failure, exception, null);
            if (!signalled)
                _ready.Signal();
        }
    }
}
