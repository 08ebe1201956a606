using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Locks;

/// <summary>Waits for one lock with one owner thread, in one method.</summary>
public sealed record LockRow
{
    /// <summary>The table row of their runs.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Process of the lock.</summary>
    public required int ProcessId { get; init; }

    /// <summary>Address of the lock in the runtime; null when the event lacks it.</summary>
    public required ulong? LockId { get; init; }

    /// <summary>Waiting method; null when no stack was recorded.</summary>
    public required MethodName? Method { get; init; }

    /// <summary>Operating-system thread that owned the lock when the wait began; null when the event lacks it.</summary>
    public required long? OwnerThreadId { get; init; }

    /// <summary>Its name; null when unknown.</summary>
    public required string? OwnerThread { get; init; }

    /// <summary>Number of waits that began in the runs.</summary>
    public required long Count { get; init; }

    /// <summary>Waiting time inside the runs, in ms, summed over threads.</summary>
    public required double Ms { get; init; }

    /// <summary>Longest wait inside a run, in ms.</summary>
    public required double MaxMs { get; init; }

    /// <summary>Location of the longest wait; null when no wait overlaps a run.</summary>
    public EventInterval? Longest { get; init; }

    /// <summary>
    /// Type through which the method waits, by the stack of the first wait: <c>System.Threading.Monitor</c>, <c>System.Threading.Lock</c>;
    /// null when no frame shows it (.NET Framework).
    /// </summary>
    public string? Primitive { get; init; }

    /// <summary>Part of <see cref="Ms"/> with a data contract look-up on the waiting stack (GetBuiltInDataContract, GetId).</summary>
    public double ContractLookupMs { get; init; }
}
