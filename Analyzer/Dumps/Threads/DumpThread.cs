using EtwSerializerProfiler.Dumps.Exceptions;
using EtwSerializerProfiler.Dumps.Stacks;

namespace EtwSerializerProfiler.Dumps.Threads;

/// <summary>A thread that ran managed code.</summary>
/// <param name="ManagedId">Its number in the runtime.</param>
/// <param name="OsId">Its id in the system; 0 when it has none any more.</param>
public sealed record DumpThread(int ManagedId, uint OsId)
{
    /// <summary>Name that the program gave it; empty for none.</summary>
    public string Name { get; init; } = "";

    /// <summary>Its role: finalizer, thread pool, background; empty for one of the program's own.</summary>
    public string Role { get; init; } = "";

    /// <summary>
    /// Whether it runs managed code (cooperative), or waits or runs native code (preemptive), in which case a GC need not wait for it.
    /// </summary>
    public bool IsCooperative { get; init; }

    /// <summary>Its managed stack, leaf first.</summary>
    public IReadOnlyList<DumpFrame> Frames { get; init; } = [];

    /// <summary>Why <see cref="Frames"/> are missing or incomplete; empty when they are complete.</summary>
    public string Problem { get; init; } = "";

    /// <summary>The last exception that it threw, if the runtime still has it.</summary>
    public ExceptionObject? Exception { get; init; }

    /// <summary>The object whose lock it waits for; null for none.</summary>
    public ulong? WaitsFor { get; init; }

    /// <summary>Address of the runtime's own record of it.</summary>
    internal ulong Address { get; init; }

    /// <summary>Base of its stack (highest address); 0 when unknown.</summary>
    internal ulong StackBase { get; init; }

    /// <summary>Name, or number.</summary>
    public string Label =>
        Name.Length > 0 ? Name
        : Role.Length > 0 ? Role
        : "";

    /// <summary>The innermost frame of the program: the thread's location without the details of its wait.</summary>
    public DumpFrame? Place
    {
        get
        {
            // The recorder's own code, which held the thread during the dump, is above a throw.
            var own = Frames.Any(frame => frame.Module == HookModule) ? ThrowStack.Of(Frames) : Frames;
            return own.FirstOrDefault(frame =>
                    frame.Module.Length > 0
                    && !frame.Module.StartsWith("System.Private.CoreLib", StringComparison.Ordinal)
                    && !frame.Module.StartsWith("mscorlib", StringComparison.Ordinal)
                ) ?? (own.Count > 0 ? own[0] : null);
        }
    }

    /// <summary>File name of the recorder's hook in recorded programs.</summary>
    private const string HookModule = "EtwSerializerProfiler.DumpHook.dll";

    /// <summary>The serializer whose work it does; null for none.</summary>
    public string? Serializer => SerializerOfStack.Of(Frames);
}

/// <summary>Threads with equal stacks.</summary>
/// <param name="Threads">The threads.</param>
public sealed record StackGroup(IReadOnlyList<DumpThread> Threads)
{
    /// <summary>Their stack, leaf first.</summary>
    public IReadOnlyList<DumpFrame> Frames => Threads[0].Frames;

    /// <summary>Groups threads, largest group first.</summary>
    public static IReadOnlyList<StackGroup> Of(IReadOnlyList<DumpThread> threads) =>
        [
            .. threads
                .GroupBy(thread => string.Join('\n', thread.Frames.Select(frame => frame.Method)) + thread.Problem, StringComparer.Ordinal)
                .Select(group => new StackGroup([.. group]))
                .OrderByDescending(group => group.Threads.Count)
                .ThenBy(group => group.Threads[0].ManagedId),
        ];
}
