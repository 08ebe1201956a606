namespace EtwSerializerProfiler.Dumps.Locks;

/// <summary>What kind of lock is held.</summary>
public enum LockKind
{
    /// <summary>Of the lock statement and Monitor, kept in the object's header: nobody waited for it yet.</summary>
    MonitorThin = 0,

    /// <summary>Of the lock statement and Monitor, with a record of the runtime's.</summary>
    Monitor = 1,

    /// <summary>System.Threading.Lock of .NET 9 and later.</summary>
    Lock = 2,
}
