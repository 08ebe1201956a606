using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>Key of a tally of waits, with everything that a grouping needs.</summary>
/// <param name="Process">Index of the process.</param>
/// <param name="Thread">Waiting thread.</param>
/// <param name="Source">Source of the waits.</param>
/// <param name="Place">Location and reason.</param>
internal readonly record struct WaitKey(int Process, long Thread, WaitSource Source, WaitPlace Place);

/// <summary>Location and reason of a wait.</summary>
/// <param name="Reason">Its reason.</param>
/// <param name="Method">Index of the waiting method.</param>
/// <param name="Own">Index of the program's own method nearest to the wait; <see cref="MethodInterner.None"/> for none.</param>
/// <param name="Stack">Index of the stack; <see cref="StackTable.None"/> unless stacks are requested.</param>
/// <param name="IsPool">Whether the thread runs a work item of the thread pool.</param>
internal readonly record struct WaitPlace(WaitReason Reason, int Method, int Own, int Stack, bool IsPool)
{
    /// <summary>No stack was recorded.</summary>
    public static WaitPlace Unknown { get; } = new(WaitReason.Unknown, MethodInterner.None, MethodInterner.None, StackTable.None, false);
}

/// <summary>Sums of waits.</summary>
internal sealed class WaitTally
{
    private Dictionary<long, long>? _readiers;

    public long Count { get; set; }

    public long Ticks { get; set; }

    public long MaxTicks { get; set; }

    public EventInterval? Longest { get; set; }

    /// <summary>Number of waits that each thread ended; null when not recorded.</summary>
    public IReadOnlyDictionary<long, long>? Readiers => _readiers;

    public void ReadiedBy(long thread)
    {
        _readiers ??= [];
        _readiers[thread] = _readiers.GetValueOrDefault(thread) + 1;
    }
}

/// <summary>A thread in the runs of a row.</summary>
/// <param name="Process">Index of the process.</param>
/// <param name="Thread">The thread.</param>
internal readonly record struct ThreadKey(int Process, long Thread);

/// <summary>Sums of a thread.</summary>
internal sealed class ThreadTally
{
    public long OnCpuTicks { get; set; }

    public long ReadyTicks { get; set; }
}
