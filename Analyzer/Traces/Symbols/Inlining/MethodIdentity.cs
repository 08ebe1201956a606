using System.Collections.Frozen;

namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>A method as calls name it: by its generic definition.</summary>
/// <param name="Type">Full name of its type, without type arguments.</param>
/// <param name="Name">Its name.</param>
/// <param name="Parameters">Number of its parameters; null when its metadata is missing.</param>
/// <param name="IsVirtual">Whether it can be called through another type; true when its metadata is missing.</param>
internal sealed record MethodIdentity(string Type, string Name, int? Parameters, bool IsVirtual)
{
    /// <summary>The type whose methods implement throw and rethrow.</summary>
    public const string Throwing = "System.Runtime.EH";

    /// <summary>
    /// Managed methods that the JIT calls for other instructions than calls (jithelpers.h of dotnet/runtime); null for all methods of the
    /// type.
    /// </summary>
    private static readonly FrozenDictionary<string, string[]?> s_helpers = new Dictionary<string, string[]?>
    {
        ["System.Runtime.CompilerServices.CastHelpers"] = null,
        ["System.Runtime.CompilerServices.InitHelpers"] = null,
        ["System.Runtime.CompilerServices.StaticsHelpers"] = null,
        ["System.Runtime.CompilerServices.GenericsHelpers"] = null,
        ["System.Runtime.CompilerServices.VirtualDispatchHelpers"] = null,
        ["System.StubHelpers.StubHelpers"] = null,
        [Throwing] = null,
        ["Internal.Runtime.CompilerHelpers.ThrowHelpers"] = null,
        ["System.SpanHelpers"] = ["Fill", "ClearWithoutReferences", "Memmove"],
        ["System.Buffer"] = ["MemCopyGC", "BulkMoveWithWriteBarrier"],
        ["System.Array"] = ["Ctor"],
        ["System.Math"] = ["ConvertToInt32Checked", "ConvertToUInt32Checked", "ConvertToInt64Checked", "ConvertToUInt64Checked"],
        ["System.RuntimeTypeHandle"] = ["GetRuntimeTypeFromHandle", "GetRuntimeTypeFromHandleMaybeNull"],
        ["System.Threading.Monitor"] = ["SynchronizedMethodEnter", "SynchronizedMethodExit"],
        ["System.Threading.Thread"] = ["PollGC"],
    }.ToFrozenDictionary();

    /// <summary>Its name in an interface: the name of an explicit implementation is preceded by that of the interface.</summary>
    public string InterfaceName { get; } = Name.LastIndexOf('.') is > 0 and var dot ? Name[(dot + 1)..] : Name;

    /// <summary>Whether it runs without a call in IL: called by the JIT's code, or by the runtime as static constructors are.</summary>
    public bool IsHelper => Name == ".cctor" || s_helpers.TryGetValue(Type, out var names) && (names is null || names.Contains(Name));
}
