namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Entries of a call chain that are no addresses but say what the following ones are (enum perf_callchain_context, linux/perf_event.h).</summary>
public static class PerfContext
{
    /// <summary>Hypervisor addresses follow.</summary>
    public const ulong Hypervisor = unchecked((ulong)-32L);

    /// <summary>Kernel addresses follow.</summary>
    public const ulong Kernel = unchecked((ulong)-128L);

    /// <summary>User addresses follow.</summary>
    public const ulong User = unchecked((ulong)-512L);

    /// <summary>Every value from here on is a marker.</summary>
    private const ulong First = unchecked((ulong)-4095L);

    /// <summary>Whether an entry is a marker and not an address.</summary>
    public static bool IsMarker(ulong entry) => entry >= First;
}
