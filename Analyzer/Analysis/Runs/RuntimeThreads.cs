using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// Knows the threads of the .NET runtime by the names it gives them (.NET 6 and later, src/coreclr of dotnet/runtime), and the workers of Mono's collector. The kernel keeps 15 characters of a
/// name. GCs of the workstation collector that are not background ones run on the thread that allocates, and code is compiled for the first
/// time on the thread that calls it: neither has a thread of its own. Threads that run an operation together (<see cref="TeamThread"/>) have names, too.
/// </summary>
public static class RuntimeThreads
{
    private static readonly string[] s_collector = [".NET Server GC", ".NET BGC", "SGen worker"];
    private static readonly string[] s_compiler = [".NET Tiered Com"];

    /// <summary>What a thread of this name works for.</summary>
    public static ThreadRole RoleOf(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (Array.Exists(s_collector, start => name.StartsWith(start, StringComparison.Ordinal)))
            return ThreadRole.GarbageCollection;
        if (name.StartsWith(TeamThread.NamePrefix, StringComparison.Ordinal))
            return ThreadRole.Team;
        return Array.Exists(s_compiler, start => name.StartsWith(start, StringComparison.Ordinal)) ? ThreadRole.Compilation : ThreadRole.Program;
    }
}

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
