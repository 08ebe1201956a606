namespace EtwSerializerProfiler.Sessions;

/// <summary>Methods of CPU sampling.</summary>
public enum CpuSampler
{
    /// <summary>The best permitted one: perf events, else ptrace, else EventPipe's sample profiler.</summary>
    Auto,

    /// <summary>Perf events: CPU time of all threads with native and managed frames, and context switches.</summary>
    Perf,

    /// <summary>Ptrace of a launched program: CPU time of all threads with native and managed frames. Needs no rights.</summary>
    Ptrace,

    /// <summary>EventPipe's sample profiler: managed threads at safe points. Needs no rights and works for running programs.</summary>
    EventPipe,

    /// <summary>No CPU samples.</summary>
    None,
}
