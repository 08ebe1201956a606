namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>A method that an instruction names.</summary>
/// <param name="Type">Full name of its type, without type arguments; empty where a type argument decides.</param>
/// <param name="Name">Its name.</param>
/// <param name="Parameters">Number of its parameters.</param>
/// <param name="Kind">How the method that runs is found.</param>
internal readonly record struct CallTarget(string Type, string Name, int Parameters, CallKind Kind)
{
    private const string Constructor = ".ctor";

    /// <summary>Whether the call can reach a method.</summary>
    public bool CanReach(MethodIdentity callee)
    {
        if (Name == Constructor && callee.Name.StartsWith("Ctor", StringComparison.Ordinal))
        {
            // The runtime builds strings by methods named Ctor, and delegates by those of MulticastDelegate.
            return callee.Type == "System.String" ? Type == callee.Type : callee.Type == "System.MulticastDelegate" && Parameters == 2;
        }

        if ((callee.Parameters is { } count && count != Parameters) || (Name != callee.Name && (Kind == CallKind.Exact || Name != callee.InterfaceName)))
            return false;
        return Type == callee.Type || Kind == CallKind.Constrained || (Kind == CallKind.Virtual && callee.IsVirtual);
    }
}

/// <summary>How an instruction binds the method that it names to the one that runs.</summary>
internal enum CallKind
{
    /// <summary>The method that is named runs.</summary>
    Exact,

    /// <summary>An override or an implementation of the method that is named may run (callvirt, ldvirtftn).</summary>
    Virtual,

    /// <summary>The type argument or the value type that the prefix names decides (constrained).</summary>
    Constrained,
}
