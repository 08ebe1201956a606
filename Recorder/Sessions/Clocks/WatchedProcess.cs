using System.Diagnostics;
using EtwSerializerProfiler.Sessions.PerfEvents;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Sessions.Clocks;

/// <summary>A process whose threads' clocks are read.</summary>
/// <param name="id">Its id.</param>
/// <param name="eventId">Id of the clock event in the file.</param>
internal sealed class WatchedProcess(int id, ulong eventId) : IDisposable
{
    private readonly Dictionary<int, WatchedThread> _threads = [];

    /// <summary>When all threads were last read; null before the first time.</summary>
    private long? _looked;

    /// <summary>Reads the clocks and writes those that have changed.</summary>
    /// <param name="records">Receives the records.</param>
    /// <param name="now">The current time.</param>
    /// <param name="atAll">Whether to read sleeping threads and search for new ones, too.</param>
    /// <param name="atNames">Whether to read names again.</param>
    /// <exception cref="IOException">The records cannot be written.</exception>
    public void Look(ProcessSnapshot records, long now, bool atAll, bool atNames)
    {
        if (atAll || _looked is null)
        {
            // A thread that is new since the last look spent all its CPU time since then.
            foreach (var thread in ProcessSnapshot.Threads(id))
            {
                if (!_threads.ContainsKey(thread) && WatchedThread.Open(id, thread, _looked) is { } opened)
                    _threads.Add(thread, opened);
            }

            _looked = now;
        }

        foreach (var (number, thread) in _threads)
        {
            if (!atAll && !thread.Works(now))
                continue;
            if (thread.TryRead(out var clock))
            {
                thread.Write(records, clock, now, eventId);
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

    private sealed class WatchedThread : IDisposable
    {
        /// <summary>
        /// A thread that slept for less than this may resume at any moment; the next run of a benchmark must not begin unseen.
        /// </summary>
        private static readonly long s_rest = Stopwatch.Frequency;

        private readonly SafeFileHandle _schedule;
        private readonly int _process;
        private readonly int _id;
        private (long Cpu, long Ready) _clock;

        /// <summary>
        /// When the clocks were last read, or a time before the thread began; null for a thread from before the recording that was not read
        /// yet.
        /// </summary>
        private long? _looked;

        /// <summary>Whether <see cref="_clock"/> as of <see cref="_looked"/> was written.</summary>
        private bool _isWritten;

        private WatchedThread(SafeFileHandle schedule, int process, int id, long? born) =>
            (_schedule, _process, _id, _looked) = (schedule, process, id, born);

        /// <summary>When a change of its clocks was last seen; null for never.</summary>
        private long? _moved;

        /// <summary>Whether its clocks changed recently; true for a new thread.</summary>
        public bool Works(long now) => _moved is not { } moved || now - moved < s_rest;

        public string Name { get; private set; } = "";

        /// <summary>Opens its clocks; null when it has ended or may not be read.</summary>
        /// <param name="process">Its process.</param>
        /// <param name="thread">Its id.</param>
        /// <param name="born">A time at which the thread did not exist yet; null when it may be older than the recording.</param>
        public static WatchedThread? Open(int process, int thread, long? born)
        {
            try
            {
                return new WatchedThread(File.OpenHandle($"/proc/{process}/task/{thread}/schedstat"), process, thread, born);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                return null;
            }
        }

        /// <summary>
        /// Writes its clocks when they have changed. They did not change before the previous reading, so that reading is written first.
        /// </summary>
        public void Write(ProcessSnapshot records, (long Cpu, long Ready) clock, long now, ulong eventId)
        {
            var isFirst = _looked is null;
            var hasMoved = clock != _clock;
            if (hasMoved || isFirst)
            {
                if (_looked is { } looked && !_isWritten)
                    Write(records, looked, _clock, 0, eventId);
                Write(records, now, clock, isFirst ? 0 : clock.Cpu - _clock.Cpu, eventId);
            }

            (_looked, _clock, _isWritten) = (now, clock, hasMoved || isFirst);
            if (hasMoved || _moved is null)
                _moved = now;
        }

        /// <summary>Writes its name if it has changed.</summary>
        public void WriteName(ProcessSnapshot records, long now)
        {
            if (ReadName() is not { } name || name == Name)
                return;
            records.Time = now;
            records.WriteComm(_process, _id, Name = name);
        }

        /// <summary>Reads its clocks; false when it has ended.</summary>
        public bool TryRead(out (long Cpu, long Ready) clock)
        {
            clock = default;
            Span<byte> text = stackalloc byte[ThreadSchedule.MaxText];
            try
            {
                if (!ThreadSchedule.TryParse(text[..RandomAccess.Read(_schedule, text, 0)], out var schedule))
                    return false;
                clock = (schedule.Cpu, schedule.Ready);
                return true;
            }
            catch (IOException)
            {
                return false; // ESRCH
            }
        }

        public void Dispose() => _schedule.Dispose();

        private void Write(ProcessSnapshot records, long time, (long Cpu, long Ready) clock, long since, ulong eventId)
        {
            records.Time = time;
            records.WriteClock(_process, _id, clock.Cpu, clock.Ready, since, eventId);
        }

        private string? ReadName()
        {
            try
            {
                return File.ReadAllText($"/proc/{_process}/task/{_id}/comm").TrimEnd('\n');
            }
            catch (IOException)
            {
                return null; // it has ended
            }
        }
    }
}
