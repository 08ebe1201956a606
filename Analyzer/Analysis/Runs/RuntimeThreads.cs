using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// Recognizes threads of the .NET runtime by their names (.NET 6 and later, src/coreclr of dotnet/runtime), and the GC workers of Mono. The
/// kernel keeps 15 characters of a name. Blocking workstation GCs run on the allocating thread, and a method's first compilation on the
/// thread that calls it, so neither has its own thread. Threads that run an operation together (<see cref="TeamThread"/>) have names, too.
/// </summary>
public static class RuntimeThreads
{
    private static readonly string[] s_collector = [".NET Server GC", ".NET BGC", "SGen worker"];
    private static readonly string[] s_compiler = [".NET Tiered Com"];

    /// <summary>Role of a thread with a name.</summary>
    public static ThreadRole RoleOf(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (Array.Exists(s_collector, start => name.StartsWith(start, StringComparison.Ordinal)))
            return ThreadRole.Gc;
        if (name.StartsWith(TeamThread.NamePrefix, StringComparison.Ordinal))
            return ThreadRole.Team;
        return Array.Exists(s_compiler, start => name.StartsWith(start, StringComparison.Ordinal))
            ? ThreadRole.Compilation
            : ThreadRole.Program;
    }
}

/// <summary>Roles of threads.</summary>
public enum ThreadRole
{
    /// <summary>The program, or the runtime in a role not listed below.</summary>
    Program = 0,

    /// <summary>GC: a thread of server GC or of background GCs.</summary>
    Gc = 1,

    /// <summary>The JIT compiler: the thread that recompiles hot methods.</summary>
    Compilation = 2,

    /// <summary>The runs: runs the operation simultaneously with the measuring thread.</summary>
    Team = 3,
}
