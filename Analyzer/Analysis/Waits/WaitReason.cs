namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>Reason of a wait, from its stack or from runtime events around it.</summary>
public enum WaitReason
{
    /// <summary>Neither stack nor event shows it.</summary>
    Unknown = 0,

    /// <summary>A lock owned by another thread: Monitor, Lock, ReaderWriterLock.</summary>
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

    /// <summary>The end of a GC pause, which covers more than half of the wait.</summary>
    Gc = 7,

    /// <summary>The runtime's own code below a method of the program: type loads, compilations, thread starts.</summary>
    Runtime = 8,

    /// <summary>New work: idle pool workers, runtime threads, a main thread that waits for the program's end.</summary>
    Idle = 9,
}

/// <summary>Names of the reasons, the same in all reports.</summary>
public static class WaitReasonNames
{
    /// <summary>Returns the reason's name.</summary>
    public static string Name(this WaitReason reason) =>
        reason switch
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
