using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Kinds of code that the .NET runtime generates without events, recognized by their memory. The runtime gets it from one memory file
/// (doublemapper), each kind in mappings of its own; with DOTNET_EnableWriteXorExecute=0 from anonymous memory
/// (<see cref="AnonymousCode"/>).
/// </summary>
/// <remarks>
/// Observed on .NET 10, x64, and verified by the instructions there; anonymous memory also on arm64. File offset 0: the first code, the
/// write barriers, which are copied to memory so that the GC can patch them. 16 KiB at once, followed by as much data: precode (jump to a
/// method's code, or to its compilation) and call counters. Other memory without a method: helpers of precompiled code, virtual dispatch,
/// delegate thunks. Memory with methods is the JIT's and has no kind.
/// </remarks>
internal static class RuntimeStubs
{
    /// <summary>Prefix of the names.</summary>
    public const string Prefix = "[stub] ";

    /// <summary>Name of the write barriers.</summary>
    public const string WriteBarrier = Prefix + "write barrier";

    /// <summary>Name of the other code without methods.</summary>
    public const string Helper = Prefix + "helper, dispatch or thunk";

    /// <summary>Code of a page of precode (GetStubCodePageSize in dotnet/runtime).</summary>
    private const ulong PrecodeBytes = 16 << 10;

    /// <summary>Whether a mapping is the runtime's code memory.</summary>
    public static bool IsDoubleMapped(string path) => path.StartsWith("/memfd:doublemapper", StringComparison.Ordinal);

    /// <summary>The kind of code in a mapping; null when unknown.</summary>
    /// <param name="mapping">The mapping.</param>
    /// <param name="layout">The process's mappings.</param>
    /// <param name="methods">Its methods.</param>
    public static string? NameOf(in FileMapping mapping, ProcessLayout layout, ManagedCodeMap methods)
    {
        if (IsDoubleMapped(mapping.Path))
            return NameOf(
                mapping.FileOffset == 0,
                mapping.Length,
                layout.HasGrown(mapping.Start),
                methods.HasCodeIn(mapping.Start, mapping.Length)
            );
        return layout.Anonymous.TryFind(mapping.Start, out var region)
            ? NameOf(region.IsFirst, region.Length, region.HasGrown, methods.HasCodeIn(region.Start, region.Length))
            : null;
    }

    private static string? NameOf(bool isFirst, ulong length, bool hasGrown, bool hasMethods) =>
        hasMethods ? null
        : isFirst ? WriteBarrier
        : length == PrecodeBytes && !hasGrown ? Prefix + "precode"
        : Helper;
}
