namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>Ids of events of Microsoft-Windows-DotNETRuntime that filters name (src/coreclr/vm/ClrEtwAll.man in dotnet/runtime).</summary>
public static class RuntimeEventIds
{
    /// <summary>A collection begins.</summary>
    public const int GcStart = 1;

    /// <summary>An allocation tick: about every 100 KB, level Verbose.</summary>
    public const int AllocationTick = 10;

    /// <summary>What made a collection begin.</summary>
    public const int GcTriggered = 35;

    /// <summary>An exception is thrown.</summary>
    public const int ExceptionThrown = 80;

    /// <summary>A thread begins to wait for a lock.</summary>
    public const int ContentionStart = 81;

    /// <summary>Compilation of a method begins, level Verbose.</summary>
    public const int MethodJittingStarted = 145;

    /// <summary>A sampled allocation, .NET 10.</summary>
    public const int AllocationSampled = 303;
}
