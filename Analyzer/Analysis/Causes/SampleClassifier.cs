using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>
/// Assigns each CPU sample of a process to a part of its time and to a cause. Allocates for new symbols only.
/// </summary>
/// <remarks>
/// <para>A sample belongs to the serializer of its run if the serializer's entry frame is on its stack; the outermost one counts. From
/// there the stack is walked towards the leaf with a current cause, which is none at the entry. A frame with a cause
/// (<see cref="CauseCatalog"/>) replaces the current one, unless its cause is weaker: the runtime's helpers and the kernel are called from
/// everywhere, and a page fault in a GC belongs to the GC. A frame of a serializer's or program's own code (<see cref="OwnCode"/>) removes
/// the cause: what reflection calls is not reflection. The current cause at the leaf is the sample's cause; none is the serializer's own
/// time. So each sample has one cause, and own time and causes add up to the serializer's time.</para>
/// <para>WPA takes the deepest frame with the highest priority on the whole stack, so it counts a serializer's reflection only as
/// reflection. Without the step that removes a cause, the causes here equal WPA's tags.</para>
/// <para>Each symbol's tag is computed once, so walking a stack is an array access per frame. Interning stacks, with an answer for each,
/// would cost a look-up per frame.</para>
/// </remarks>
/// <param name="symbols">Symbols of the process.</param>
/// <param name="pauses">GC pauses of the process.</param>
internal sealed class SampleClassifier(ProcessSymbols symbols, GcPauses pauses)
{
    private const int None = EntryFrames.None;

    private readonly CauseFrames _frames = new(symbols.Resolver);
    private readonly EntryFrames _entries = new(symbols.Resolver);

    /// <summary>Role of each thread, by thread id.</summary>
    private readonly Dictionary<long, ThreadRole> _roles = [];

    /// <summary>Stack of the last classified sample.</summary>
    public SampleStack Stack { get; } = new(symbols.Resolver, pauses);

    /// <summary>Classifies a sample in a run.</summary>
    public SampleClass Classify(in CpuSample sample, RunTally run)
    {
        Stack.Walk(sample);
        var role = RoleOf(sample.At.ThreadId);
        var isMeasuring =
            role == ThreadRole.Team
            || (role == ThreadRole.Program && (run.MeasuringThread is not { } thread || thread == sample.At.ThreadId));
        var entry =
            run.Entries is { } entries ? _entries.OutermostOf(Stack.Symbols, entries)
            : isMeasuring ? Stack.Symbols.Length
            : None;
        if (entry != None)
        {
            var (cause, symbol) = _frames.Below(Stack, entry);
            return new SampleClass(
                SamplePart.Serializer,
                cause,
                symbol,
                entry < Stack.Symbols.Length && _entries.TagOf(Stack.Symbols[entry]) == SerializerEntries.Suites.Touch
            );
        }

        var part =
            role == ThreadRole.Gc ? SamplePart.GcThreads
            : role == ThreadRole.Compilation ? SamplePart.JitThreads
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

/// <summary>Classification of a CPU sample.</summary>
/// <param name="Part">Part of the process's CPU time.</param>
/// <param name="Cause">Index of the cause in <see cref="CauseCatalog.All"/>; -1 for none, and outside the serializer.</param>
/// <param name="Symbol">Index of the symbol at which the cause begins; without a cause, the leaf's symbol.</param>
/// <param name="IsLazyRead">Whether the serializer ran because a lazily read graph was touched.</param>
internal readonly record struct SampleClass(SamplePart Part, int Cause, int Symbol, bool IsLazyRead = false);

/// <summary>Parts of a process's CPU time in a run.</summary>
public enum SamplePart
{
    /// <summary>Below the serializer's entry frame.</summary>
    Serializer = 0,

    /// <summary>Measuring thread, outside the serializer's entry frame: the benchmark's own work.</summary>
    Harness = 1,

    /// <summary>Measuring thread, on stacks that end before a possible entry frame.</summary>
    Broken = 2,

    /// <summary>GC threads.</summary>
    GcThreads = 3,

    /// <summary>JIT compiler threads.</summary>
    JitThreads = 4,

    /// <summary>Other threads of the process.</summary>
    OtherThreads = 5,
}
