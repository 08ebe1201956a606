using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Analysis.Locks;

/// <summary>
/// When which thread owned a lock for which others waited. The event at a wait's start names the owner; when a wait of the lock ends, its
/// thread owns it. In between, the owner is the last one known: a thread that takes the free lock without waiting is not seen before the
/// next wait starts, and a wait that timed out counts as one that ended. Events come in order of time. Allocates for new spans, not for
/// events.
/// </summary>
/// <typeparam name="TSite">Identifies where threads wait.</typeparam>
internal sealed class LockOwners<TSite>
    where TSite : notnull
{
    /// <summary>Locks for which threads wait.</summary>
    private readonly Dictionary<ulong, ContendedLock> _contended = [];

    /// <summary>Objects of locks for which no thread waits any more.</summary>
    private readonly Stack<ContendedLock> _unused = [];

    /// <summary>Current wait of each thread.</summary>
    private readonly Dictionary<long, (ulong Lock, int Site)> _waiting = [];

    private readonly Interner<TSite> _sites = new();

    /// <summary>Spans by owner thread and index of the site, ordered by time, without overlap.</summary>
    private readonly Dictionary<long, Dictionary<int, List<(long Start, long Stop)>>> _spans = [];

    /// <summary>The last result of <see cref="Overlaps"/>.</summary>
    private readonly List<(TSite Site, long Ticks)> _overlaps = [];

    /// <summary>A thread begins to wait.</summary>
    /// <param name="lockId">The lock; 0 when unknown.</param>
    /// <param name="owner">Its owner; 0 when unknown.</param>
    /// <param name="waiter">The thread.</param>
    /// <param name="site">Where it waits.</param>
    /// <param name="time">Time.</param>
    public void Begin(ulong lockId, long owner, long waiter, TSite site, long time)
    {
        // The end of its last wait was lost.
        if (_waiting.Remove(waiter, out var lost))
            Remove(lost.Lock, lost.Site);
        if (lockId == 0)
            return;
        if (!_contended.TryGetValue(lockId, out var contended))
            _contended.Add(lockId, contended = _unused.TryPop(out var unused) ? unused : new ContendedLock());
        Close(contended, time);
        var index = _sites.GetOrAdd(site);
        contended.Owner = owner;
        contended.Waiters[index] = contended.Waiters.GetValueOrDefault(index) + 1;
        _waiting.Add(waiter, (lockId, index));
    }

    /// <summary>A thread no longer waits, and owns the lock.</summary>
    /// <inheritdoc cref="Begin"/>
    public void End(long waiter, long time)
    {
        if (!_waiting.Remove(waiter, out var wait))
            return;
        var contended = _contended[wait.Lock];
        Close(contended, time);
        contended.Owner = waiter;
        Remove(wait.Lock, wait.Site);
    }

    /// <summary>Time for which threads waited at a site for a lock with a known owner, in ticks, summed over owners.</summary>
    public long TicksOf(TSite site)
    {
        var index = _sites.GetOrAdd(site);
        return _spans.Values.Sum(sites => sites.TryGetValue(index, out var spans) ? spans.Sum(span => span.Stop - span.Start) : 0);
    }

    /// <summary>Whether a thread ever owned such a lock.</summary>
    public bool HasOwned(long thread) => _spans.ContainsKey(thread);

    /// <summary>
    /// Where others waited for a thread's locks in a span of time, and for how many ticks of it; valid until the next call.
    /// </summary>
    /// <param name="thread">The thread.</param>
    /// <param name="start">Start of the span.</param>
    /// <param name="stop">Its end; equal to <paramref name="start"/> for a moment, which has 0 ticks.</param>
    public List<(TSite Site, long Ticks)> Overlaps(long thread, long start, long stop)
    {
        _overlaps.Clear();
        if (!_spans.TryGetValue(thread, out var sites))
            return _overlaps;
        foreach (var (site, spans) in sites)
        {
            var (ticks, isInside) = (0L, false);
            for (var index = FirstThatEndsAfter(spans, start); index < spans.Count && spans[index].Start <= stop; index++)
            {
                ticks += Math.Min(stop, spans[index].Stop) - Math.Max(start, spans[index].Start);
                isInside = true;
            }

            if (isInside)
                _overlaps.Add((_sites[site], ticks));
        }

        return _overlaps;
    }

    private static int FirstThatEndsAfter(List<(long Start, long Stop)> spans, long time)
    {
        var (low, high) = (0, spans.Count);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (spans[middle].Stop > time)
                high = middle;
            else
                low = middle + 1;
        }

        return low;
    }

    private void Remove(ulong lockId, int site)
    {
        var waiters = _contended[lockId].Waiters;
        if (--waiters[site] == 0)
            waiters.Remove(site);
        if (waiters.Count == 0 && _contended.Remove(lockId, out var unused))
            _unused.Push(unused);
    }

    /// <summary>Adds the time since the last event of a lock.</summary>
    private void Close(ContendedLock contended, long time)
    {
        if (contended.Owner != 0 && time > contended.Since)
        {
            foreach (var site in contended.Waiters.Keys)
                Add(contended.Owner, site, contended.Since, time);
        }

        contended.Since = time;
    }

    private void Add(long owner, int site, long start, long stop)
    {
        if (!_spans.TryGetValue(owner, out var sites))
            _spans.Add(owner, sites = []);
        if (!sites.TryGetValue(site, out var spans))
            sites.Add(site, spans = []);

        // Threads may wait there for several locks of the owner.
        while (spans.Count > 0 && spans[^1].Stop >= start)
        {
            (start, stop) = (Math.Min(spans[^1].Start, start), Math.Max(spans[^1].Stop, stop));
            spans.RemoveAt(spans.Count - 1);
        }

        spans.Add((start, stop));
    }

    /// <summary>A lock for which threads wait.</summary>
    private sealed class ContendedLock
    {
        /// <summary>Number of waiting threads by index of their site; none are 0.</summary>
        public Dictionary<int, int> Waiters { get; } = [];

        /// <summary>The owner; 0 when unknown.</summary>
        public long Owner { get; set; }

        /// <summary>Time of the lock's last event.</summary>
        public long Since { get; set; }
    }
}
