using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Inlining;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>What the search for a caller needs to know of a piece of a method's code.</summary>
/// <param name="code">The code.</param>
/// <param name="tree">What was inlined into it; null for nothing.</param>
internal sealed class MethodPlace(in MethodCode code, InlineTree? tree)
{
    /// <summary>Id of the method.</summary>
    public long MethodId { get; } = code.MethodId;

    /// <summary>Where the code begins.</summary>
    public ulong Start { get; } = code.Start;

    /// <summary>Bytes of it.</summary>
    public ulong Size { get; } = code.Size;

    /// <summary>How it was compiled.</summary>
    public CodeTier Tier { get; } = code.Tier;

    /// <summary>
    /// Whether it is a System.Reflection.Emit.DynamicMethod, which code calls through a delegate. The runtime's IL stubs share its
    /// namespace.
    /// </summary>
    public bool IsDynamicMethod { get; } = code.Namespace == "dynamicClass" && !code.Name.StartsWith("IL_STUB", StringComparison.Ordinal);

    /// <summary>What was inlined into it; null for nothing.</summary>
    public InlineTree? Tree { get; } = tree;

    /// <summary>Whether the code may lack a frame pointer; null before the first query.</summary>
    public bool? MayLackFrame { get; set; }
}
