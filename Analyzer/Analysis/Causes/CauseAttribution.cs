using System.Runtime.InteropServices;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>Gives each CPU sample of a process its serializer and its cause. Allocates for new symbols, not for samples.</summary>
/// <remarks>
/// <para>A sample belongs to the serializer of its run when the entry frame of this serializer is on its stack; the outermost one counts. Below it the stack is walked
/// towards the leaf with one value in hand, the cause, which is none at the entry. A frame with a cause (<see cref="CauseCatalog"/>) puts its own in its place, unless that
/// is weaker: the runtime's helpers and the kernel are called from everywhere, and a page fault in a collection is the collection's. A frame of a serializer's or a
/// program's own code (<see cref="OwnCode"/>) takes the cause away: what reflection calls is no reflection. What is in hand at the leaf is the sample's cause, and none
/// is the serializer's own time. So each sample has one cause, and own time and causes add up to the serializer's.</para>
/// <para>WPA takes the deepest frame of the highest priority of all of the stack, and so gives a serializer's reflection to reflection and not to the serializer.
/// Without the step that takes a cause away, the causes here are the tags it shows.</para>
/// <para>A frame's tag is found once for each symbol. A stack is then a walk over numbers: to intern stacks and keep an answer for each would cost a look-up for each frame,
/// and this costs an array's element.</para>
/// </remarks>
/// <param name="symbols">Symbols of the process.</param>
/// <param name="pauses">Its collections.</param>
/// <param name="ticksPerSecond">Ticks of the trace's clock in one second.</param>
/// <param name="byMethod">Whether times are kept by method, too.</param>
internal sealed class CauseAttribution(ProcessSymbols symbols, CollectionPauses pauses, long ticksPerSecond, bool byMethod = false)
{
    private const int None = EntryFrames.None;

    private static readonly int s_collection = CauseNumber(CauseCatalog.Collection);

    private readonly SampleStack _stack = new(symbols.Resolver);
    private readonly CauseFrames _frames = new(symbols.Resolver);
    private readonly EntryFrames _entries = new(symbols.Resolver);

    /// <summary>By number of the thread, what it works for.</summary>
    private readonly Dictionary<long, ThreadRole> _roles = [];

    /// <summary>Adds a sample to its run.</summary>
    /// <returns>Whether its stack is broken.</returns>
    public bool Add(in CpuSample sample, RunTally run)
    {
        _stack.Walk(sample);
        var times = run.Causes ??= new CauseTimes { TicksPerSecond = ticksPerSecond, HasEntry = run.Entries is not null };
        times.Quality += new StackQuality(1, One(_stack.IsBroken), One(_stack.IsExpanded), One(symbols.HasInlineTrees), One(_stack.IsRecovered), One(sample.Dump.IsRecorded));
        var role = RoleOf(sample.At.ThreadId);
        var isMeasuring = role == ThreadRole.Team || (role == ThreadRole.Program && (run.MeasuringThread is not { } thread || thread == sample.At.ThreadId));
        var entry = run.Entries is { } entries ? _entries.OutermostOf(_stack.Symbols, entries) : isMeasuring ? _stack.Symbols.Length : None;
        if (entry != None)
        {
            times.Samples++;
            var (cause, symbol) = CauseBelow(entry);
            if (pauses.IsCollecting(sample.At.ThreadId, sample.At.Time) && cause != s_collection)
                (cause, symbol) = (s_collection, _stack.Symbols[0]);
            if (byMethod)
                CollectionsMarshal.GetValueRefOrAddDefault(times.Symbols ??= [], (cause, symbol), out _) += sample.CpuTicks;
            if (cause == None)
                times.Own += sample.CpuTicks;
            else
                times.Causes[cause] += sample.CpuTicks;
        }
        else if (role == ThreadRole.GarbageCollection)
        {
            times.CollectorThreads += sample.CpuTicks;
        }
        else if (role == ThreadRole.Compilation)
        {
            times.CompilerThreads += sample.CpuTicks;
        }
        else if (!isMeasuring)
        {
            times.OtherThreads += sample.CpuTicks;
        }
        else if (_stack.IsBroken)
        {
            times.Broken += sample.CpuTicks;
        }
        else
        {
            times.Harness += sample.CpuTicks;
        }

        return _stack.IsBroken;
    }

    /// <summary>The samples of a run are read: its methods get their names.</summary>
    public void NameMethods(CauseTimes? times)
    {
        if (times?.Symbols is not { } numbers)
            return;
        var methods = new Dictionary<CauseMethod, long>();
        foreach (var ((cause, symbol), ticks) in numbers)
            CollectionsMarshal.GetValueRefOrAddDefault(methods, new CauseMethod(cause, StackNames.Name(symbols.Resolver.Symbols[symbol])), out _) += ticks;
        (times.Methods, times.Symbols) = (methods, null);
    }

    /// <summary>The cause below a place in the stack, -1 for none, and the symbol with which it begins; without a cause that of the leaf.</summary>
    private (int Cause, int Symbol) CauseBelow(int entry)
    {
        var stack = _stack.Symbols;
        var (cause, begin) = (None, stack[0]);
        for (var i = entry - 1; i >= 0; i--)
        {
            var next = _frames.Below(cause, stack[i]);
            if (next != cause || next == None)
                (cause, begin) = (next, next == None ? stack[0] : stack[i]);
        }

        return (cause, begin);
    }

    private ThreadRole RoleOf(long thread)
    {
        if (!_roles.TryGetValue(thread, out var role))
            _roles.Add(thread, role = RuntimeThreads.RoleOf(symbols.Layout.ThreadName(thread)));
        return role;
    }

    private static int One(bool counts) => counts ? 1 : 0;

    private static int CauseNumber(string key) => CauseCatalog.All.Select((cause, number) => (cause.Key, number)).First(item => item.Key == key).number;
}
