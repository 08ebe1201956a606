using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Gc;

/// <summary>
/// GCs of one process with their pauses and sizes. A pause belongs to the GC that begins in it; if a second one begins in it, the rest
/// belongs to that one. A pause in which none begins is the second pause of the current background GC. Memory grows with the GCs.
/// </summary>
/// <param name="scope">The process.</param>
/// <param name="triggers">Names the triggers; null when not requested.</param>
internal sealed class GcPass(EventScope scope, GcTriggers.Reader? triggers = null) : IEventSubscriber
{
    /// <summary>Maximum number of GCs in progress; more means that end events were lost, so the oldest are dropped.</summary>
    private const int MaxOpen = 8;

    private readonly Suspensions _suspensions = new();
    private readonly List<GcDraft> _gcs = [];
    private readonly List<GcDraft> _open = [];
    private readonly List<(long Start, long Stop)> _pauses = [];

    /// <summary>The last completed GC: statistics after its end belong to it.</summary>
    private GcDraft? _ended;

    /// <summary>
    /// Trigger of the GCs that begin before the threads resume: one in the foreground, and the background GC that it starts with.
    /// </summary>
    private GcTriggers.Trigger _trigger = GcTriggers.Trigger.None;

    /// <summary>GCs ordered by start.</summary>
    public IReadOnlyList<GcDraft> Gcs => _gcs;

    /// <summary>Pauses ordered by stop.</summary>
    public IReadOnlyList<(long Start, long Stop)> Pauses => _pauses;

    /// <summary>Ticks of pauses in matching runs without a known GC (its start was lost).</summary>
    public long UnknownPauseTicks { get; private set; }

    /// <summary>Longest part of a pause in one matching run, in ticks.</summary>
    public long MaxPauseTicks { get; private set; }

    /// <summary>Number of objects finalized in matching runs, by row index.</summary>
    public Dictionary<int, long> Finalized { get; } = [];

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<FinalizersRan>(OnFinalizersRan);
        hub.Subscribe<SuspendStarted>(OnSuspendStarted);
        hub.Subscribe<RuntimeResumed>(OnRuntimeResumed);
        hub.Subscribe<GcTriggered>(OnGcTriggered, withStack: triggers is not null);
        hub.Subscribe<GcStarted>(OnGcStarted);
        hub.Subscribe<GcEnded>(OnGcEnded);
        hub.Subscribe<HeapStatistics>(OnHeapStatistics);
        hub.Subscribe<HeapSizeBefore>(OnHeapSizeBefore);
    }

    private void OnSuspendStarted(in SuspendStarted suspension) => _suspensions.Begin(suspension.At, suspension.Reason);

    private void OnRuntimeResumed(in RuntimeResumed resumed)
    {
        if (!_suspensions.TryEnd(resumed.At, out var start))
            return;
        _trigger = GcTriggers.Trigger.None;
        _pauses.Add((start, resumed.At.Time));
        foreach (var (run, ticks) in scope.Windows.Clip(start, resumed.At.Time))
        {
            if (scope.GroupOf(run) >= 0)
                MaxPauseTicks = Math.Max(MaxPauseTicks, ticks);
        }

        Charge(start, resumed.At.Time);
    }

    private void OnFinalizersRan(in FinalizersRan finalizers)
    {
        if (scope.GroupAt(finalizers.At.Time) is >= 0 and var group)
            Finalized[group] = Finalized.GetValueOrDefault(group) + finalizers.Count;
    }

    private void OnGcTriggered(in GcTriggered gc) => _trigger = triggers?.Read(gc) ?? GcTriggers.Trigger.None;

    private void OnGcStarted(in GcStarted gc)
    {
        var draft = new GcDraft(gc, _trigger);
        _gcs.Add(draft);
        if (_open.Count == MaxOpen)
            _open.RemoveAt(0);
        _open.Add(draft);
    }

    private void OnGcEnded(in GcEnded gc)
    {
        var number = gc.Number;
        _ended = _open.FindLast(open => open.Started.Number == number);
        if (_ended is not null)
            _open.Remove(_ended);
    }

    private void OnHeapStatistics(in HeapStatistics statistics)
    {
        if (_ended is null)
            return;
        _ended.BytesAfter ??= statistics.HeapBytes;
        _ended.PromotedBytes ??= statistics.PromotedBytes;
    }

    private void OnHeapSizeBefore(in HeapSizeBefore heap)
    {
        // Written before the end; server GC writes one per heap.
        if ((Open(isBackground: false) ?? Open(isBackground: true) ?? _ended) is { } gc)
            gc.BytesBefore = (gc.BytesBefore ?? 0) + heap.Bytes;
    }

    private void Charge(long start, long stop)
    {
        var first = _gcs.Count;
        while (first > 0 && _gcs[first - 1].Started.At.Time >= start)
            first--;
        if (first == _gcs.Count)
        {
            Charge(Open(isBackground: true) ?? Open(isBackground: false), start, stop);
            return;
        }

        for (var i = first; i < _gcs.Count; i++)
        {
            var from = i == first ? start : _gcs[i].Started.At.Time;
            Charge(_gcs[i], from, i + 1 < _gcs.Count ? _gcs[i + 1].Started.At.Time : stop);
        }
    }

    private void Charge(GcDraft? gc, long start, long stop)
    {
        long inRuns = 0;
        foreach (var (run, ticks) in scope.Windows.Clip(start, stop))
            inRuns += scope.GroupOf(run) >= 0 ? ticks : 0;
        if (gc is null)
        {
            UnknownPauseTicks += inRuns;
            return;
        }

        gc.PauseTicks += stop - start;
        gc.PauseInRunsTicks += inRuns;
    }

    /// <summary>The last unfinished GC of a kind.</summary>
    private GcDraft? Open(bool isBackground) => _open.FindLast(gc => (gc.Started.Kind == GcKind.Background) == isBackground);
}

/// <summary>Data of a GC while it is read. Times in ticks.</summary>
/// <param name="started">Its start event.</param>
/// <param name="trigger">Its trigger.</param>
internal sealed class GcDraft(GcStarted started, GcTriggers.Trigger trigger)
{
    public GcStarted Started { get; } = started;

    public GcTriggers.Trigger Trigger { get; } = trigger;

    public long PauseTicks { get; set; }

    public long PauseInRunsTicks { get; set; }

    public long? BytesBefore { get; set; }

    public long? BytesAfter { get; set; }

    public long? PromotedBytes { get; set; }
}
