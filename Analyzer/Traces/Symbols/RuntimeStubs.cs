using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Kinds of code that the .NET runtime makes and announces to nobody, by the shape of their memory. The runtime gets it from one memory file
/// (doublemapper), each kind in mappings of its own.
/// </summary>
/// <remarks>
/// Seen on .NET 10, x64, and checked by the instructions there. File offset 0: the first code of all, the write barriers, which are copied to memory so
/// that the GC can patch them. 16 KiB at once, with as much data behind: precode (jump to a method's code, or to its compilation) and call counters. Other
/// memory without a single method: helpers of precompiled code, virtual dispatch, thunks of delegates. Memory with methods is the JIT's, and says nothing.
/// </remarks>
internal static class RuntimeStubs
{
    /// <summary>Begins the names.</summary>
    public const string Prefix = "[stub] ";

    /// <summary>Name of the write barriers.</summary>
    public const string WriteBarrier = Prefix + "write barrier";

    /// <summary>Name of the other code without methods.</summary>
    public const string Helper = Prefix + "helper, dispatch or thunk";

    /// <summary>Code of a page of precode (GetStubCodePageSize in dotnet/runtime).</summary>
    private const ulong PrecodeBytes = 16 << 10;

    /// <summary>Whether a mapping is one of the runtime's memory for code.</summary>
    public static bool IsDoubleMapped(string path) => path.StartsWith("/memfd:doublemapper", StringComparison.Ordinal);

    /// <summary>The kind of code in a mapping; null when it cannot be told.</summary>
    /// <param name="mapping">The mapping.</param>
    /// <param name="hasGrown">Whether it was taken into use bit by bit.</param>
    /// <param name="hasMethods">Whether methods lie in it.</param>
    public static string? NameOf(in FileMapping mapping, bool hasGrown, bool hasMethods)
    {
        if (!IsDoubleMapped(mapping.Path) || hasMethods)
            return null;
        if (mapping.FileOffset == 0)
            return WriteBarrier;
        return mapping.Length == PrecodeBytes && !hasGrown ? Prefix + "precode" : Helper;
    }
}
