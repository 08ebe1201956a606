using System.Globalization;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>lock</c>.</summary>
public static class LockTable
{
    /// <summary>The table.</summary>
    public static StoreTable<LockRow> Table { get; } =
        new(
            "lock",
            "Waits for one lock in one method while one thread owned it, in the measured runs of one serializer and test",
            [
                .. RowKeyColumns.Of<LockRow>(row => row.Runs),
                new("process_id", "Process of the lock", row => row.ProcessId),
                new(
                    "lock_id",
                    "The runtime's address of the lock, hexadecimal",
                    row => row.LockId?.ToString("x", CultureInfo.InvariantCulture),
                    isNullable: true
                ),
                new("method", "Waiting method", row => row.Method?.Name, isNullable: true),
                new("module", "Its module", row => row.Method?.Module, isNullable: true),
                new("primitive", "Type used for waiting", row => row.Primitive, isNullable: true),
                new("owner_thread_id", "Thread that owned the lock when the wait began", row => row.OwnerThreadId),
                new("owner_thread", "Its name", row => row.OwnerThread, isNullable: true),
                new("waits", "Waits that began in the runs", row => row.Count),
                new("wait_ms", "Time waited inside the runs, summed over threads", row => row.Ms),
                new("longest_ms", "Longest wait inside a run", row => row.MaxMs),
            ]
        );
}
