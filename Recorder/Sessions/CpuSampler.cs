namespace EtwSerializerProfiler.Sessions;

/// <summary>What samples where a program spends its time.</summary>
public enum CpuSampler
{
    /// <summary>The best that is permitted: perf events, else ptrace, else the sample profiler of EventPipe.</summary>
    Auto,

    /// <summary>Perf events: CPU time of all threads with native and managed frames, and context switches.</summary>
    Perf,

    /// <summary>Ptrace of a launched program: CPU time of all threads with native and managed frames. Needs no right.</summary>
    Ptrace,

    /// <summary>The sample profiler of EventPipe: managed threads at safe points. Needs no right and works for programs that run already.</summary>
    EventPipe,

    /// <summary>Nothing.</summary>
    None,
}
