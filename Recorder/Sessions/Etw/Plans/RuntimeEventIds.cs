namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>Ids of events of Microsoft-Windows-DotNETRuntime that filters name (src/coreclr/vm/ClrEtwAll.man in dotnet/runtime).</summary>
public static class RuntimeEventIds
{
    /// <summary>Start of a GC.</summary>
    public const int GcStart = 1;

    /// <summary>An allocation tick: about every 100 KB, level Verbose.</summary>
    public const int AllocationTick = 10;

    /// <summary>Trigger of a GC.</summary>
    public const int GcTriggered = 35;

    /// <summary>An exception is thrown.</summary>
    public const int ExceptionThrown = 80;

    /// <summary>A thread starts to wait for a lock.</summary>
    public const int ContentionStart = 81;

    /// <summary>Start of a method's compilation, level Verbose.</summary>
    public const int MethodJittingStarted = 145;

    /// <summary>A sampled allocation, .NET 10.</summary>
    public const int AllocationSampled = 303;
}
