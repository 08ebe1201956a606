namespace EtwSerializerProfiler.Marks;

/// <summary>Bytes that all threads of the process have allocated so far.</summary>
internal static class AllocationCounter
{
#if NET
    /// <summary>Exact; reading it suspends the runtime for about 100 µs.</summary>
    public static long Bytes() => GC.GetTotalAllocatedBytes(precise: true);
#else
    /// <summary>False on Mono, which has no such counter.</summary>
    private static readonly bool s_exists = Enable();

    /// <summary>On .NET Framework the allocations of the application domain; -1 on Mono.</summary>
    public static long Bytes() => s_exists ? AppDomain.CurrentDomain.MonitoringTotalAllocatedMemorySize : -1;

    private static bool Enable()
    {
        if (Type.GetType("Mono.Runtime") is not null)
            return false;
        AppDomain.MonitoringIsEnabled = true;
        return true;
    }
#endif
}
