using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Gc;

/// <summary>Triggers of the GCs of all processes.</summary>
internal sealed class GcTriggers
{
    private readonly MethodInterner _methods = new();
    private readonly StackTable _stacks = new();

    /// <summary>Number of GCs whose stack was dropped.</summary>
    public long Dropped => _stacks.Dropped;

    /// <summary>Creates the reader for one process.</summary>
    public Reader Of(SymbolResolver resolver) => new(this, resolver);

    /// <summary>Sums GCs by trigger; those with the longest pauses come first.</summary>
    /// <param name="gcs">The GCs.</param>
    /// <param name="byStack">Whether each stack has its own row.</param>
    public IReadOnlyList<TriggerRow> Rows(IEnumerable<(GcRow Row, Trigger Trigger)> gcs, bool byStack) =>
        [
            .. gcs.GroupBy(item =>
                    (
                        Runs: item.Row.Run is { } run ? SummaryKey.Of(run) : (SummaryKey?)null,
                        Trigger: byStack
                            ? item.Trigger with
                            {
                                Own = MethodInterner.None,
                            }
                            : item.Trigger with
                            {
                                Stack = StackTable.None,
                                Own = MethodInterner.None,
                            },
                        item.Row.Reason,
                        item.Row.Generation
                    )
                )
                .Select(group => new TriggerRow
                {
                    Runs = group.Key.Runs,
                    Method = _methods[group.Key.Trigger.Method],
                    Own = _methods[group.GroupBy(item => item.Trigger.Own).MaxBy(own => own.Sum(item => item.Row.PauseMs))!.Key],
                    Stack = _stacks.Frames(group.Key.Trigger.Stack),
                    Reason = group.Key.Reason,
                    Generation = group.Key.Generation,
                    Count = group.Count(),
                    PauseMs = group.Sum(item => item.Row.PauseMs),
                    PauseInRunsMs = group.Sum(item => item.Row.PauseInRunsMs),
                    MaxPauseMs = group.Max(item => item.Row.PauseMs),
                })
                .OrderByDescending(row => row.PauseMs)
                .ThenByDescending(row => row.Count)
                .ThenBy(row => row.Runs?.ToString(), StringComparer.Ordinal)
                .ThenBy(row => row.Method?.Name, StringComparer.Ordinal)
                .ThenBy(row => row.Reason)
                .ThenBy(row => row.Generation),
        ];

    /// <summary>Trigger of a GC.</summary>
    /// <param name="Method">Index of the method.</param>
    /// <param name="Own">Index of the program's own method that led to it.</param>
    /// <param name="Stack">Index of the stack.</param>
    public readonly record struct Trigger(int Method, int Own, int Stack)
    {
        /// <summary>Not recorded.</summary>
        public static Trigger None { get; } = new(MethodInterner.None, MethodInterner.None, StackTable.None);
    }

    /// <summary>
    /// Names the triggers of one process. An induced GC has the caller of GC.Collect; the class library's GC type is skipped.
    /// </summary>
    internal sealed class Reader(GcTriggers all, SymbolResolver resolver)
    {
        private readonly SampleStack _stack = new(resolver);
        private readonly StackNames _names = new(resolver, all._methods, RuntimeFrames.IsAllocating);
        private readonly StackNames _own = new(
            resolver,
            all._methods,
            symbol => RuntimeFrames.IsAllocating(symbol) || !OwnCode.IsMine(symbol, resolver.MyCode)
        );
        private readonly StackPaths _paths = new(resolver, all._stacks);

        public Trigger Read(in GcTriggered gc)
        {
            _stack.Walk(gc.Stack, gc.At, SymbolResolver.Allocator);
            return new Trigger(_names.Find(_stack.Symbols), _own.FindOnly(_stack.Symbols), _paths.GetOrAdd(_names.From(_stack.Symbols)));
        }
    }
}
