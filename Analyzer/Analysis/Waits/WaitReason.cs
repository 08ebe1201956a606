namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>What a thread waited for, by the stack of its wait or the runtime's events around it.</summary>
public enum WaitReason
{
    /// <summary>Neither stack nor event says it.</summary>
    Unknown = 0,

    /// <summary>A lock that another thread had: Monitor, Lock, ReaderWriterLock.</summary>
    Lock = 1,

    /// <summary>A task to complete: Task.Wait, Result, GetAwaiter().GetResult().</summary>
    Task = 2,

    /// <summary>An event, a semaphore, a pulse or another signal of a thread.</summary>
    Signal = 3,

    /// <summary>The end of a thread: Thread.Join.</summary>
    Join = 4,

    /// <summary>Time to pass: Thread.Sleep.</summary>
    Sleep = 5,

    /// <summary>A file, a socket, a pipe or a process.</summary>
    Io = 6,

    /// <summary>The end of a pause for a GC: more than half of the wait lies in one.</summary>
    Gc = 7,

    /// <summary>The runtime's own code below a method of the program: type loads, compilations, start of threads.</summary>
    Runtime = 8,

    /// <summary>Work to come: pool workers without work, threads of the runtime, a main thread that waits for the program's end.</summary>
    Idle = 9,
}

/// <summary>Names of the reasons, the same in all reports.</summary>
public static class WaitReasonNames
{
    /// <summary>The reason in words.</summary>
    public static string Name(this WaitReason reason) => reason switch
    {
        WaitReason.Lock => "lock",
        WaitReason.Task => "task",
        WaitReason.Signal => "signal",
        WaitReason.Join => "thread's end",
        WaitReason.Sleep => "sleep",
        WaitReason.Io => "I/O",
        WaitReason.Gc => "GC pause",
        WaitReason.Runtime => "runtime",
        WaitReason.Idle => "idle",
        _ => "unknown",
    };
}
