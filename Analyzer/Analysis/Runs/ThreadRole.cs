namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>What a thread of the process works for.</summary>
public enum ThreadRole
{
    /// <summary>The program, or the runtime in another way than those below.</summary>
    Program = 0,

    /// <summary>The garbage collector: a thread of the server collector or of background collections.</summary>
    GarbageCollection = 1,

    /// <summary>The JIT compiler: the thread that compiles hot methods again.</summary>
    Compilation = 2,

    /// <summary>The runs: it does the operation at the same time as the measuring thread.</summary>
    Team = 3,
}
