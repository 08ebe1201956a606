namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>
/// The current compilations on one thread. Compiling a method can make the runtime compile another one first (a static constructor, a
/// resolver); the inner time is part of the outer one and counts once.
/// </summary>
internal sealed class JitThread
{
    /// <summary>Deeper nesting means that end events were lost, so the oldest entries are dropped.</summary>
    private const int DeepestNesting = 64;

    private readonly List<(long Method, long Start)> _open = [];
    private readonly List<(long Start, long Stop)> _counted = [];

    /// <summary>Whether a compilation is in progress.</summary>
    public bool IsOpen => _open.Count > 0;

    /// <summary>A compilation begins.</summary>
    public void Begin(long method, long time)
    {
        if (_open.Count == DeepestNesting)
            _open.RemoveAt(0);
        _open.Add((method, time));
    }

    /// <summary>Ends a compilation and passes its time to the sink, without the time of inner compilations.</summary>
    public void End<T>(long method, long time, T sink)
        where T : ISpanSink
    {
        var index = _open.Count - 1;
        while (index >= 0 && _open[index].Method != method)
            index--;
        if (index < 0)
            return;

        // Entries above it never ended: their ends were lost, or their compilation failed.
        var start = _open[index].Start;
        _open.RemoveRange(index, _open.Count - index);
        while (_counted.Count > 0 && _counted[^1].Start >= start)
        {
            sink.Add(_counted[^1].Start, _counted[^1].Stop, -1);
            _counted.RemoveAt(_counted.Count - 1);
        }

        sink.Add(start, time, +1);
        if (_open.Count == 0)
            _counted.Clear();
        else
            Remember(start, time);
    }

    private void Remember(long start, long stop)
    {
        if (_counted.Count == DeepestNesting)
            _counted.RemoveAt(0);
        _counted.Add((start, stop));
    }
}

/// <summary>The current compilations of a process, by thread.</summary>
internal sealed class Compilations
{
    private readonly Dictionary<long, JitThread> _threads = [];

    /// <summary>Compilations of a thread.</summary>
    public JitThread Of(long thread)
    {
        if (!_threads.TryGetValue(thread, out var jit))
            _threads.Add(thread, jit = new JitThread());
        return jit;
    }
}

/// <summary>Receives time spans.</summary>
internal interface ISpanSink
{
    /// <summary>Adds or removes a span.</summary>
    /// <param name="start">Start in ticks.</param>
    /// <param name="stop">End in ticks.</param>
    /// <param name="sign">+1 or -1.</param>
    void Add(long start, long stop, int sign);
}
