namespace EtwSerializerProfiler.Sessions.Clocks;

/// <summary>How a system gives the CPU clocks of another process's threads.</summary>
internal interface IThreadClocks : IDisposable
{
    /// <summary>How often threads are listed, which on some systems reads all processes of the machine.</summary>
    TimeSpan ListInterval { get; }

    /// <summary>Threads of a process by the ids that EventPipe's events carry; empty when it has ended or may not be read.</summary>
    IReadOnlyList<int> Threads(int processId);

    /// <summary>Opens the clock of a thread; null when it has ended or may not be read.</summary>
    IThreadClock? Open(int processId, int thread);
}

/// <summary>The CPU clock of a thread.</summary>
internal interface IThreadClock : IDisposable
{
    /// <summary>Reads the CPU time so far.</summary>
    /// <param name="time">The clock's value.</param>
    /// <returns>False when the thread has ended.</returns>
    bool TryRead(out ThreadTime time);

    /// <summary>Name of the thread; null when it has none or has ended.</summary>
    string? ReadName();
}

/// <summary>Value of a thread's clock.</summary>
/// <param name="Cpu">Time that it ran so far, in ns.</param>
/// <param name="Ready">Time that it waited for a processor so far, in ns; 0 where the system does not count it.</param>
internal readonly record struct ThreadTime(long Cpu, long Ready);
