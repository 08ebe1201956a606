using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>Tells of each CPU sample of a process the serializer's part and the cause. Allocates for new symbols, not for samples.</summary>
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
internal sealed class SampleClassifier(ProcessSymbols symbols, GcPauses pauses)
{
    private const int None = EntryFrames.None;

    private readonly CauseFrames _frames = new(symbols.Resolver);
    private readonly EntryFrames _entries = new(symbols.Resolver);

    /// <summary>By number of the thread, what it works for.</summary>
    private readonly Dictionary<long, ThreadRole> _roles = [];

    /// <summary>The stack of the sample that was told last.</summary>
    public SampleStack Stack { get; } = new(symbols.Resolver, pauses);

    /// <summary>What a sample in a run was spent on.</summary>
    public SampleClass Classify(in CpuSample sample, RunTally run)
    {
        Stack.Walk(sample);
        var role = RoleOf(sample.At.ThreadId);
        var isMeasuring = role == ThreadRole.Team || (role == ThreadRole.Program && (run.MeasuringThread is not { } thread || thread == sample.At.ThreadId));
        var entry = run.Entries is { } entries ? _entries.OutermostOf(Stack.Symbols, entries) : isMeasuring ? Stack.Symbols.Length : None;
        if (entry != None)
        {
            var (cause, symbol) = _frames.Below(Stack, entry);
            return new SampleClass(SamplePart.Serializer, cause, symbol, entry < Stack.Symbols.Length && _entries.TagOf(Stack.Symbols[entry]) == SerializerEntries.Suites.Touch);
        }

        var part = role == ThreadRole.GarbageCollection ? SamplePart.CollectorThreads
            : role == ThreadRole.Compilation ? SamplePart.CompilerThreads
            : !isMeasuring ? SamplePart.OtherThreads
            : Stack.IsBroken ? SamplePart.Broken
            : SamplePart.Harness;
        return new SampleClass(part, None, Stack.Symbols[0]);
    }

    private ThreadRole RoleOf(long thread)
    {
        if (!_roles.TryGetValue(thread, out var role))
            _roles.Add(thread, role = RuntimeThreads.RoleOf(symbols.Layout.ThreadName(thread)));
        return role;
    }
}

/// <summary>What a CPU sample was spent on.</summary>
/// <param name="Part">Part of the process's time.</param>
/// <param name="Cause">Number of the cause in <see cref="CauseCatalog.All"/>; -1 for none, and outside of the serializer.</param>
/// <param name="Symbol">Number of the symbol with which the cause begins; without a cause that of the leaf.</param>
/// <param name="IsLazyRead">Whether the serializer did it when a graph that it reads lazily was touched.</param>
internal readonly record struct SampleClass(SamplePart Part, int Cause, int Symbol, bool IsLazyRead = false);

/// <summary>Which part of a process's CPU time in a run a sample belongs to.</summary>
public enum SamplePart
{
    /// <summary>Below the serializer's entry frame.</summary>
    Serializer = 0,

    /// <summary>Measuring thread, outside the serializer's entry frame: the benchmark's own work.</summary>
    Harness = 1,

    /// <summary>Measuring thread, where the stack ends before an entry frame could be on it.</summary>
    Broken = 2,

    /// <summary>Threads of the garbage collector.</summary>
    CollectorThreads = 3,

    /// <summary>Threads of the JIT compiler.</summary>
    CompilerThreads = 4,

    /// <summary>Other threads of the process.</summary>
    OtherThreads = 5,
}
