namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>
/// The compilations under way on one thread. Compiling a method can make the runtime compile another one first (a static constructor, a resolver);
/// the inner time lies in the outer and is counted once.
/// </summary>
internal sealed class JitThread
{
    /// <summary>Deeper nesting means that ends were lost: the oldest entries are then dropped.</summary>
    private const int DeepestNesting = 64;

    private readonly List<(long Method, long Start)> _open = [];
    private readonly List<(long Start, long Stop)> _counted = [];

    /// <summary>Whether any is under way.</summary>
    public bool IsOpen => _open.Count > 0;

    /// <summary>A compilation begins.</summary>
    public void Begin(long method, long time)
    {
        if (_open.Count == DeepestNesting)
            _open.RemoveAt(0);
        _open.Add((method, time));
    }

    /// <summary>A compilation ends: its time goes to the sink, less what inner compilations have added already.</summary>
    public void End<T>(long method, long time, T sink)
        where T : ISpanSink
    {
        var index = _open.Count - 1;
        while (index >= 0 && _open[index].Method != method)
            index--;
        if (index < 0)
            return;

        // Those above it never ended: their ends were lost or their compilation failed.
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

/// <summary>The compilations under way in a process, by thread.</summary>
internal sealed class Compilations
{
    private readonly Dictionary<long, JitThread> _threads = [];

    /// <summary>Those of a thread.</summary>
    public JitThread Of(long thread)
    {
        if (!_threads.TryGetValue(thread, out var jit))
            _threads.Add(thread, jit = new JitThread());
        return jit;
    }
}

/// <summary>Takes spans of time.</summary>
internal interface ISpanSink
{
    /// <summary>Adds a span, or takes back one that was added.</summary>
    /// <param name="start">Begin in ticks.</param>
    /// <param name="stop">End in ticks.</param>
    /// <param name="sign">+1 or -1.</param>
    void Add(long start, long stop, int sign);
}
