using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>
/// Finds idle waits that have neither a stack nor an event around them: those of the finalizer thread outside of finalizers, of a pool
/// worker that has just found no work, and of threads that the runtime created for itself.
/// </summary>
/// <remarks>
/// The runtime names most of its threads, but not those that write EventPipe's sessions. They are created while the runtime starts: by the
/// thread that loads the class library, before it does so and no managed code can run, and after a thread that has a name of the runtime's.
/// A host that creates threads before it starts the runtime is not taken for the runtime.
/// </remarks>
/// <param name="scope">The process.</param>
internal sealed class IdleThreads(EventScope scope) : IEventSubscriber
{
    private const string ClassLibrary = "System.Private.CoreLib";

    private readonly List<(long Start, long Stop)> _finalizing = [];

    /// <summary>By pool worker, the times at which it begins to wait for work.</summary>
    private readonly Dictionary<long, List<long>> _workers = [];
    private HashSet<long>? _unnamed;
    private EventAt? _classLibrary;

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<FinalizersStarted>(OnFinalizersStarted);
        hub.Subscribe<FinalizersRan>(OnFinalizersRan);
        hub.Subscribe<AssemblyLoaded>(OnAssemblyLoaded);
        hub.Subscribe<WorkerWaitStarted>(OnWorkerWaitStarted);
    }

    /// <summary>Whether a wait is idle.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="back">End of the thread's wait before.</param>
    /// <param name="start">Start of the wait.</param>
    /// <param name="stop">Its end.</param>
    public bool IsIdle(long thread, long back, long start, long stop)
    {
        var name = scope.ThreadName(thread);
        if (name.StartsWith(WaitFrames.Finalizer, StringComparison.Ordinal))
            return (scope.Process.Kinds & EventKinds.Gc) != 0 && !IsFinalizing(start, stop);
        return (_workers.TryGetValue(thread, out var waits) && IsBetween(waits, back, start)) || Unnamed.Contains(thread);
    }

    /// <summary>Threads that the runtime created without a name.</summary>
    private HashSet<long> Unnamed => _unnamed ??= FindUnnamed();

    private HashSet<long> FindUnnamed()
    {
        var found = new HashSet<long>();
        if (_classLibrary is not { } loaded)
            return found;
        var isStarting = false;
        foreach (var created in scope.Symbols!.Layout.FirstThreads)
        {
            if (created.ParentThreadId != loaded.ThreadId || created.At.Time >= loaded.Time)
                continue;
            if (WaitFrames.IsOfRuntime(scope.ThreadName(created.At.ThreadId)))
                isStarting = true;
            else if (isStarting)
                found.Add(created.At.ThreadId);
        }

        return found;
    }

    private bool IsFinalizing(long start, long stop)
    {
        var index = _finalizing.BinarySearch((stop, long.MinValue));
        index = (index < 0 ? ~index : index) - 1;
        return index >= 0 && _finalizing[index].Stop > start;
    }

    /// <summary>Whether one of the ordered times is after <paramref name="from"/> and up to <paramref name="to"/>.</summary>
    private static bool IsBetween(List<long> times, long from, long to)
    {
        var index = times.BinarySearch(to);
        index = index < 0 ? ~index - 1 : index;
        return index >= 0 && times[index] > from;
    }

    private void OnFinalizersStarted(in FinalizersStarted started) => _finalizing.Add((started.At.Time, long.MaxValue));

    // Without a start the recording began meanwhile.
    private void OnFinalizersRan(in FinalizersRan ran)
    {
        if (_finalizing.Count == 0)
            _finalizing.Add((long.MinValue, ran.At.Time));
        else
            _finalizing[^1] = (_finalizing[^1].Start, Math.Min(_finalizing[^1].Stop, ran.At.Time));
    }

    private void OnAssemblyLoaded(in AssemblyLoaded assembly)
    {
        if (_classLibrary is null && assembly.Name == ClassLibrary)
            _classLibrary = assembly.At;
    }

    private void OnWorkerWaitStarted(in WorkerWaitStarted wait)
    {
        if (!_workers.TryGetValue(wait.At.ThreadId, out var times))
            _workers.Add(wait.At.ThreadId, times = []);
        times.Add(wait.At.Time);
    }
}
