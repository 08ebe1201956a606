using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>What the waits of a tally have in common: all that any grouping asks for.</summary>
/// <param name="Process">Number of the process.</param>
/// <param name="Thread">Thread that waits.</param>
/// <param name="Source">What the waits were taken from.</param>
/// <param name="Place">Where it waits, and for what.</param>
internal readonly record struct WaitKey(int Process, long Thread, WaitSource Source, WaitPlace Place);

/// <summary>Where a thread waits, and for what.</summary>
/// <param name="Reason">What it waits for.</param>
/// <param name="Method">Number of the method that waits.</param>
/// <param name="Own">Number of the program's own method next to the wait; <see cref="MethodTable.None"/> for none.</param>
/// <param name="Stack">Number of the stack; <see cref="StackTable.None"/> unless stacks are asked for.</param>
/// <param name="IsPool">Whether the thread runs a work item of the thread pool.</param>
internal readonly record struct WaitPlace(WaitReason Reason, int Method, int Own, int Stack, bool IsPool)
{
    /// <summary>No stack was recorded.</summary>
    public static WaitPlace Unknown { get; } = new(WaitReason.Unknown, MethodTable.None, MethodTable.None, StackTable.None, false);
}

/// <summary>What is added up for waits.</summary>
internal sealed class WaitTally
{
    private Dictionary<long, long>? _readiers;

    public long Count { get; set; }

    public long Ticks { get; set; }

    public long LongestTicks { get; set; }

    public EventPlace? Longest { get; set; }

    /// <summary>Waits that each thread ended; null when that was not recorded.</summary>
    public IReadOnlyDictionary<long, long>? Readiers => _readiers;

    public void ReadiedBy(long thread)
    {
        _readiers ??= [];
        _readiers[thread] = _readiers.GetValueOrDefault(thread) + 1;
    }
}

/// <summary>A thread in the runs of a row.</summary>
/// <param name="Process">Number of the process.</param>
/// <param name="Thread">The thread.</param>
internal readonly record struct ThreadKey(int Process, long Thread);

/// <summary>What is added up for a thread.</summary>
internal sealed class ThreadTally
{
    public long OnCpuTicks { get; set; }

    public long ReadyTicks { get; set; }
}
