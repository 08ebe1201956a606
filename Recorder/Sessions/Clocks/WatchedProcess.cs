using EtwSerializerProfiler.Sessions.PerfEvents;

namespace EtwSerializerProfiler.Sessions.Clocks;

/// <summary>A process whose threads' clocks are read.</summary>
/// <param name="id">Its id.</param>
/// <param name="clocks">Reads the clocks.</param>
/// <param name="eventId">Id of the clock event in the file.</param>
internal sealed class WatchedProcess(int id, IThreadClocks clocks, ulong eventId) : IDisposable
{
    private readonly Dictionary<int, WatchedThread> _threads = [];

    /// <summary>When the threads were last listed; null before the first time.</summary>
    private long? _listed;

    /// <summary>Reads the clocks and writes those that have changed.</summary>
    /// <param name="records">Receives the records.</param>
    /// <param name="now">The current time in ns.</param>
    /// <param name="atAll">Whether to read sleeping threads, too.</param>
    /// <param name="atNames">Whether to list threads and read their names again, regardless of the interval.</param>
    /// <exception cref="IOException">The records cannot be written.</exception>
    public void Look(ProcessSnapshot records, long now, bool atAll, bool atNames)
    {
        if (atNames || _listed is not { } listed || now - listed >= clocks.ListInterval.Ticks * TimeSpan.NanosecondsPerTick)
        {
            // A thread that is new since the last list spent all its CPU time since then.
            foreach (var thread in clocks.Threads(id))
            {
                if (!_threads.ContainsKey(thread) && clocks.Open(id, thread) is { } opened)
                    _threads.Add(thread, new WatchedThread(opened, id, thread, _listed));
            }

            _listed = now;
        }

        foreach (var (number, thread) in _threads)
        {
            if (!atAll && !thread.Works(now))
                continue;
            if (thread.TryWrite(records, now, eventId))
            {
                if (atNames || thread.Name.Length == 0)
                    thread.WriteName(records, now);
                continue;
            }

            thread.Dispose();
            _threads.Remove(number);
        }
    }

    public void Dispose()
    {
        foreach (var thread in _threads.Values)
            thread.Dispose();
    }

    /// <summary>A thread whose clock is read.</summary>
    /// <param name="clock">Its clock.</param>
    /// <param name="process">Its process.</param>
    /// <param name="id">Its id.</param>
    /// <param name="born">A time at which the thread did not exist yet; null when it may be older than the recording.</param>
    private sealed class WatchedThread(IThreadClock clock, int process, int id, long? born) : IDisposable
    {
        /// <summary>
        /// 1 s in ns. A thread that slept for less than this may resume at any moment; the next run of a benchmark must not begin unseen.
        /// </summary>
        private const long Rest = 1_000_000_000;

        private ThreadTime _time;

        /// <summary>
        /// When the clock was last read, or a time before the thread began; null for a thread from before the recording that was not
        /// read yet.
        /// </summary>
        private long? _looked = born;

        /// <summary>Whether <see cref="_time"/> as of <see cref="_looked"/> was written.</summary>
        private bool _isWritten;

        /// <summary>When a change of its clock was last seen; null for never.</summary>
        private long? _moved;

        /// <summary>Whether its clock changed recently; true for a new thread.</summary>
        public bool Works(long now) => _moved is not { } moved || now - moved < Rest;

        public string Name { get; private set; } = "";

        /// <summary>
        /// Reads its clock and writes it when it has changed. It did not change before the previous reading, so that reading is written
        /// first.
        /// </summary>
        /// <returns>False when the thread has ended. Some systems still give its final time then.</returns>
        public bool TryWrite(ProcessSnapshot records, long now, ulong eventId)
        {
            var isAlive = clock.TryRead(out var time);
            var hasMoved = time.Cpu > _time.Cpu || (isAlive && time != _time);
            if (!isAlive && !hasMoved)
                return false;
            var isFirst = _looked is null;
            if (hasMoved || isFirst)
            {
                if (_looked is { } looked && !_isWritten)
                    Write(records, looked, _time, 0, eventId);
                Write(records, now, time, isFirst ? 0 : time.Cpu - _time.Cpu, eventId);
            }

            (_looked, _time, _isWritten) = (now, time, hasMoved || isFirst);
            if (hasMoved || _moved is null)
                _moved = now;
            return isAlive;
        }

        /// <summary>Writes its name if it has changed.</summary>
        public void WriteName(ProcessSnapshot records, long now)
        {
            if (clock.ReadName() is not { } name || name == Name)
                return;
            records.Time = now;
            records.WriteComm(process, id, Name = name);
        }

        public void Dispose() => clock.Dispose();

        private void Write(ProcessSnapshot records, long at, ThreadTime time, long since, ulong eventId)
        {
            records.Time = at;
            records.WriteClock(process, id, time.Cpu, time.Ready, since, eventId);
        }
    }
}
