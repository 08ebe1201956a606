using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>The waits of the measuring threads by WaitHandle events, as far as they reach into runs. Memory grows with these waits.</summary>
/// <param name="scope">The process.</param>
/// <param name="methods">Gets the methods that wait.</param>
internal sealed class WaitPass(EventScope scope, MethodTable methods) : IEventSubscriber
{
    private readonly SampleStack _stack = new(scope.Symbols!.Resolver);
    private readonly StackNames _names = new(scope.Symbols!.Resolver, methods, RuntimeFrames.IsWaiting);

    /// <summary>By measuring thread, the wait under way; a start of <see cref="long.MinValue"/> is none.</summary>
    private readonly Dictionary<long, (long Start, int Method)> _waiting =
        scope.Runs.Select(run => run.MeasuringThread).OfType<long>().Distinct().ToDictionary(thread => thread, _ => (long.MinValue, MethodTable.None));

    private readonly List<(long Thread, long Start, long Stop, int Method)> _waits = [];

    /// <summary>Waits in the order of their ends.</summary>
    public IReadOnlyList<(long Thread, long Start, long Stop, int Method)> Waits => _waits;

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<WaitStarted>(OnWaitStarted, withStack: true);
        hub.Subscribe<WaitStopped>(OnWaitStopped);
    }

    private void OnWaitStarted(in WaitStarted wait)
    {
        if (!_waiting.ContainsKey(wait.At.ThreadId))
            return;
        _stack.Walk(wait.Stack, wait.At.Time);
        _waiting[wait.At.ThreadId] = (wait.At.Time, _names.Find(_stack.Symbols));
    }

    private void OnWaitStopped(in WaitStopped stopped)
    {
        if (!_waiting.TryGetValue(stopped.At.ThreadId, out var wait) || wait.Start == long.MinValue)
            return;
        _waiting[stopped.At.ThreadId] = (long.MinValue, MethodTable.None);
        if (scope.Windows.Clip(wait.Start, stopped.At.Time).GetEnumerator().MoveNext())
            _waits.Add((stopped.At.ThreadId, wait.Start, stopped.At.Time, wait.Method));
    }
}
