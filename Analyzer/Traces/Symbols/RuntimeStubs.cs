using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Kinds of code that the .NET runtime makes and announces to nobody, by the shape of their memory. The runtime gets it from one memory file
/// (doublemapper), each kind in mappings of its own; with DOTNET_EnableWriteXorExecute=0 from memory without a file (<see cref="AnonymousCode"/>).
/// </summary>
/// <remarks>
/// Seen on .NET 10, x64, and checked by the instructions there; without a file also on arm64. File offset 0: the first code of all, the write barriers, which are copied to memory so
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
    /// <param name="layout">The process's mappings.</param>
    /// <param name="methods">Its methods.</param>
    public static string? NameOf(in FileMapping mapping, ProcessLayout layout, ManagedCodeMap methods)
    {
        if (IsDoubleMapped(mapping.Path))
            return NameOf(mapping.FileOffset == 0, mapping.Length, layout.HasGrown(mapping.Start), methods.HasCodeIn(mapping.Start, mapping.Length));
        return layout.Anonymous.TryFind(mapping.Start, out var region) ? NameOf(region.IsFirst, region.Length, region.HasGrown, methods.HasCodeIn(region.Start, region.Length)) : null;
    }

    private static string? NameOf(bool isFirst, ulong length, bool hasGrown, bool hasMethods) =>
        hasMethods ? null : isFirst ? WriteBarrier : length == PrecodeBytes && !hasGrown ? Prefix + "precode" : Helper;
}
