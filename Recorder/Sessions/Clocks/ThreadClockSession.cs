using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Writing;

namespace EtwSerializerProfiler.Sessions.Clocks;

/// <summary>
/// Reads the clocks of the recorded processes' threads on a thread of its own. Writes changed clocks to a perf.data file or into memory
/// (<see cref="PerfSinkFactory"/>).
/// </summary>
internal sealed class ThreadClockSession : IKernelSession
{
    /// <summary>The event's id in the file.</summary>
    private const ulong EventId = 1;

    private const int BufferBytes = 1 << 18;

    /// <summary>
    /// Interval between readings of threads that worked within the last second. The sample profiler stops managed threads every ms, which
    /// makes their clocks exact.
    /// </summary>
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(2);

    /// <summary>Every tenth reading also covers threads that slept longer.</summary>
    private const int LooksUntilAll = 10;

    private const int LooksUntilNames = 100;

    private const int LooksUntilFlush = 500;

    private readonly IPerfRecordSink _writer;
    private readonly Func<IThreadClocks> _openClocks;
    private readonly ProcessSnapshot _records;
    private readonly Thread _thread;
    private readonly ManualResetEventSlim _end = new();

    /// <summary>Guards <see cref="_added"/>: each runtime connects on its own thread.</summary>
    private readonly Lock _gate = new();
    private readonly List<int> _added = [];
    private readonly List<WatchedProcess> _processes = [];
    private volatile string _error = "";
    private bool _stopped;

    private ThreadClockSession(IPerfRecordSink writer, Func<IThreadClocks> openClocks)
    {
        _writer = writer;
        _openClocks = openClocks;
        _records = new ProcessSnapshot(writer, EventId, MonotonicTime.Now());
        _writer.FirstTime = _writer.LastTime = _records.Time;
        _thread = new Thread(Run) { IsBackground = true, Name = "thread clocks" };
    }

    /// <inheritdoc />
    public PerfSessionStatistics Statistics => default(PerfSessionStatistics) with { Bytes = _writer.DataBytes };

    /// <inheritdoc />
    public string Error => _error;

    /// <inheritdoc />
    public bool CouldNotWrite { get; private set; }

    /// <summary>Opens the file and starts reading.</summary>
    /// <exception cref="IOException">The file cannot be created.</exception>
    public static ThreadClockSession Start(
        ThreadClockPlan plan,
        string path,
        string toolVersion,
        IReadOnlyList<string> commandLine,
        PerfSinkFactory? open
    )
    {
        open ??= (file, events, features, tracingData, bufferBytes) => new PerfDataWriter(file, events, features, tracingData, bufferBytes);
        IReadOnlyList<PerfEvent> events = [.. plan.Events.Select(item => new PerfEvent(item.Name, item.Settings, [EventId]))];
        var machine = PerfEventSession.Describe(MonotonicTime.Now(), toolVersion, commandLine);
        var session = new ThreadClockSession(open(path, events, machine, [], BufferBytes), plan.OpenClocks);
        session._thread.Start();
        return session;
    }

    /// <summary>Reads the clocks of a process from now on.</summary>
    public void Watch(int processId)
    {
        lock (_gate)
            _added.Add(processId);
    }

    /// <inheritdoc />
    public void Stop()
    {
        if (_stopped)
            return;
        _stopped = true;
        _end.Set();
        _thread.Join();
        try
        {
            _writer.Dispose();
        }
        catch (IOException exception)
        {
            GiveUp(exception);
        }
    }

    public void Dispose()
    {
        Stop();
        foreach (var process in _processes)
            process.Dispose();
        _end.Dispose();
    }

    private void Run()
    {
        using var clocks = _openClocks();
        try
        {
            var ended = false;
            for (var look = 0; !ended; look++)
            {
                ended = _end.Wait(s_interval);
                Look(clocks, atAll: ended || look % LooksUntilAll == 0, atNames: ended || look % LooksUntilNames == 0);
                if (look % LooksUntilFlush == 0)
                    _writer.Flush();
            }
        }
        catch (IOException exception)
        {
            GiveUp(exception);
        }
    }

    private void Look(IThreadClocks clocks, bool atAll, bool atNames)
    {
        lock (_gate)
        {
            _processes.AddRange(_added.Select(id => new WatchedProcess(id, clocks, EventId)));
            _added.Clear();
        }

        foreach (var process in _processes)
            process.Look(_records, MonotonicTime.Now(), atAll, atNames);
        _writer.LastTime = MonotonicTime.Now();
        if (atAll)
            _writer.WriteFinishedRound();
    }

    private void GiveUp(IOException exception)
    {
        CouldNotWrite = true;
        _error = $"ended early: {exception.Message}";
    }
}
