using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Locks;

/// <summary>Waits for one lock while one thread had it, in one method.</summary>
public sealed record LockRow
{
    /// <summary>The table's row whose runs they lie in.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Process of the lock.</summary>
    public required int ProcessId { get; init; }

    /// <summary>The lock, by the runtime's address of it; null when the event does not tell.</summary>
    public required ulong? LockId { get; init; }

    /// <summary>Method that waits; null when no stack was recorded.</summary>
    public required MethodName? Method { get; init; }

    /// <summary>Operating-system thread that had the lock when the wait began; null when the event does not tell.</summary>
    public required long? OwnerThreadId { get; init; }

    /// <summary>Its name, null when it is not known.</summary>
    public required string? OwnerThread { get; init; }

    /// <summary>Waits that began in the runs.</summary>
    public required long Count { get; init; }

    /// <summary>Time waited inside the runs, in ms, summed over threads.</summary>
    public required double Ms { get; init; }

    /// <summary>Longest wait inside a run, in ms.</summary>
    public required double MaxMs { get; init; }

    /// <summary>Where that one lies; null when no wait has a part inside a run.</summary>
    public EventPlace? Longest { get; init; }

    /// <summary>Type through which the method waits, by the stack of the first wait: <c>System.Threading.Monitor</c>, <c>System.Threading.Lock</c>; null when no frame tells (.NET Framework).</summary>
    public string? Primitive { get; init; }

    /// <summary>Part of <see cref="Ms"/> with a look-up of a data contract on the waiting stack (GetBuiltInDataContract, GetId).</summary>
    public double ContractLookupMs { get; init; }
}
