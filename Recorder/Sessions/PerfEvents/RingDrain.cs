using System.Buffers.Binary;
using System.Diagnostics;
using EtwSerializerProfiler.Sessions.Clocks;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Writing;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>
/// The thread that moves records from the rings of all CPUs to the sink, without allocating. The kernel wakes it when a quarter of a ring
/// is full, and it must then run before the ring is full: on a saturated machine that takes the scheduler's precedence
/// (<see cref="ThreadScheduling"/>).
/// </summary>
internal sealed unsafe class RingDrain : IDisposable
{
    /// <summary>Maximum time that records stay in a ring that does not fill.</summary>
    private const int PollMilliseconds = 200;

    /// <summary>Maximum time that records stay in the buffer.</summary>
    private const long FlushMilliseconds = 1000;

    private readonly PerfEventSet _set;
    private readonly PerfRing[] _rings;
    private readonly IPerfRecordSink _sink;
    private readonly RecordCounter _counter;
    private readonly Thread _thread;

    /// <summary>Limits the stacks of context switches; null when none are taken.</summary>
    private readonly SwitchStackLimit? _limit;

    /// <summary>Index of the event that takes them.</summary>
    private readonly int _switchStacks;

    /// <summary>Event file descriptor that ends the thread's wait.</summary>
    private readonly int _signal;

    private volatile bool _stopping;
    private volatile string _error = "";

    /// <summary>Prepares the thread.</summary>
    /// <param name="set">The events and their rings.</param>
    /// <param name="sink">Receives the records.</param>
    /// <param name="counter">Counts them.</param>
    /// <param name="switchStacks">Index of the event with the stacks of context switches; -1 for none.</param>
    /// <exception cref="PerfEventException">The system has no event file descriptor left.</exception>
    public RingDrain(PerfEventSet set, IPerfRecordSink sink, RecordCounter counter, int switchStacks)
    {
        _set = set;
        _rings = [.. set.Rings];
        _sink = sink;
        _counter = counter;
        _switchStacks = switchStacks;
        _limit = _switchStacks < 0 ? null : new SwitchStackLimit(_rings.Length, Stopwatch.Frequency);
        _signal = PerfNative.CreateSignal();
        if (_signal < 0)
            throw new PerfEventException(
                "no file is left for the thread that reads the rings",
                "raise 'ulimit -n'",
                PerfNative.TooManyOpenFiles
            );
        _thread = new Thread(Run) { IsBackground = true, Name = "perf rings" };
    }

    /// <summary>Why it ended early (disk full); empty when it did not.</summary>
    public string Error => _error;

    /// <summary>Whether records could not be written because the disk was full.</summary>
    public bool CouldNotWrite { get; private set; }

    /// <summary>What the thread has over the recorded threads. Final after <see cref="Stop"/>.</summary>
    public Precedence Precedence { get; private set; }

    /// <summary>
    /// Time in which the thread was ready but had no processor; null when the kernel does not count it. Final after <see cref="Stop"/>.
    /// </summary>
    public TimeSpan? Ready { get; private set; }

    /// <summary>
    /// Time in which the thread copied and wrote records, including waits for the disk and for a processor. Final after <see cref="Stop"/>.
    /// </summary>
    public TimeSpan Draining { get; private set; }

    public void Start() => _thread.Start();

    /// <summary>Moves what is left in the rings, and ends the thread.</summary>
    public void Stop()
    {
        _stopping = true;
        var one = 1L;
        _ = PerfNative.Write(_signal, &one, 8);
        _thread.Join();
    }

    public void Dispose() => _ = PerfNative.Close(_signal);

    private void Run()
    {
        try
        {
            Precedence = ThreadScheduling.TakePrecedence();
            DrainUntilStopped();
        }
        catch (Exception exception) when (exception is IOException or InvalidDataException)
        {
            CouldNotWrite = exception is IOException;
            _error = $"ended early: {exception.Message}";
            _set.Disable();
        }

        Ready = ReadyOfThisThread();
    }

    private void DrainUntilStopped()
    {
        Span<PerfNative.PollDescriptor> waits = new PerfNative.PollDescriptor[_set.Owners.Count + 1];
        for (var index = 0; index < _set.Owners.Count; index++)
            waits[index] = new PerfNative.PollDescriptor { Descriptor = _set.Owners[index], Wanted = PerfNative.PollIn };
        waits[^1] = new PerfNative.PollDescriptor { Descriptor = _signal, Wanted = PerfNative.PollIn };
        var flushed = Environment.TickCount64;
        while (true)
        {
            // Returns at once when a ring got a quarter full during the last round.
            fixed (PerfNative.PollDescriptor* pointer = waits)
                _ = PerfNative.Poll(
                    pointer,
                    (nuint)waits.Length,
                    _limit?.MillisecondsLeft(Stopwatch.GetTimestamp(), PollMilliseconds) ?? PollMilliseconds
                );

            // Read before draining: records from before the events were disabled are then in the rings.
            var last = _stopping;
            foreach (ref var wait in waits[..^1])
            {
                // All threads of the event have ended; another poll would return at once. Its ring is still read.
                if ((wait.Happened & PerfNative.PollEnded) != 0)
                    wait.Descriptor = -1;
            }

            var start = Stopwatch.GetTimestamp();
            DrainRound();
            if (!last && _limit?.Update(start, _counter.SwitchOuts) == true) // the events are disabled before the last round
                SwitchStacks(_limit.IsTaking);
            var now = Environment.TickCount64;
            if (_sink.IsDirty && (last || now - flushed >= FlushMilliseconds))
            {
                _sink.Flush();
                flushed = now;
            }

            Draining += Stopwatch.GetElapsedTime(start);
            if (last)
                return;
        }
    }

    private void DrainRound()
    {
        var moved = 0;
        foreach (var ring in _rings)
            moved += ring.Drain(_sink, _counter);
        if (moved == 0)
            return;
        _sink.FirstTime = _counter.FirstTime;
        _sink.LastTime = _counter.LastTime;
        _sink.WriteFinishedRound();
    }

    /// <summary>Starts or stops the stacks of context switches, with a record of it: switches in between have none.</summary>
    private void SwitchStacks(bool isOn)
    {
        if (!isOn)
            Mark(PerfRecordType.Throttle);
        _set.Switch(_switchStacks, isOn);
        if (isOn)
            Mark(PerfRecordType.Unthrottle);
    }

    /// <summary>
    /// Writes PERF_RECORD_THROTTLE or PERF_RECORD_UNTHROTTLE: time, id and stream id of the event, and the trailer of
    /// <see cref="PlannedPerfEvent.CommonFields"/>.
    /// </summary>
    private void Mark(PerfRecordType type)
    {
        const int Size = 64;
        var (time, id) = (Stopwatch.GetTimestamp(), _set.Events[_switchStacks].Ids[0]);
        Span<byte> record = stackalloc byte[Size];
        record.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(record, (int)type);
        BinaryPrimitives.WriteUInt16LittleEndian(record[6..], Size);
        BinaryPrimitives.WriteInt64LittleEndian(record[8..], time);
        BinaryPrimitives.WriteUInt64LittleEndian(record[16..], id);
        BinaryPrimitives.WriteUInt64LittleEndian(record[24..], id);
        BinaryPrimitives.WriteInt64LittleEndian(record[40..], time);
        BinaryPrimitives.WriteUInt64LittleEndian(record[56..], id);
        _sink.Write(record);
    }

    private static TimeSpan? ReadyOfThisThread()
    {
        try
        {
            return ThreadSchedule.TryParse(File.ReadAllBytes("/proc/thread-self/schedstat"), out var schedule)
                ? TimeSpan.FromTicks(schedule.Ready / TimeSpan.NanosecondsPerTick)
                : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
