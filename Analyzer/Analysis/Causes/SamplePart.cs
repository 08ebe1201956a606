namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>Which part of a process's CPU time in a run a sample belongs to.</summary>
public enum SamplePart
{
    /// <summary>Below the serializer's entry frame.</summary>
    Serializer = 0,

    /// <summary>Measuring thread, outside the serializer's entry frame: the benchmark's own work.</summary>
    Harness = 1,

    /// <summary>Measuring thread, where the stack ends before an entry frame could be on it.</summary>
    Broken = 2,

    /// <summary>Threads of the garbage collector.</summary>
    CollectorThreads = 3,

    /// <summary>Threads of the JIT compiler.</summary>
    CompilerThreads = 4,

    /// <summary>Other threads of the process.</summary>
    OtherThreads = 5,
}
