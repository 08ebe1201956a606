namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>A method that an instruction names.</summary>
/// <param name="Type">Full name of its type, without type arguments; empty where it depends on a type argument.</param>
/// <param name="Name">Its name.</param>
/// <param name="Parameters">Number of its parameters.</param>
/// <param name="Kind">How the call is bound to the method that runs.</param>
internal readonly record struct CallTarget(string Type, string Name, int Parameters, CallKind Kind)
{
    private const string Constructor = ".ctor";

    /// <summary>Whether the call can run the given method.</summary>
    public bool CanReach(MethodIdentity callee)
    {
        if (Name == Constructor && callee.Name.StartsWith("Ctor", StringComparison.Ordinal))
        {
            // The runtime constructs strings by methods named Ctor, and delegates by those of MulticastDelegate.
            return callee.Type == "System.String" ? Type == callee.Type : callee.Type == "System.MulticastDelegate" && Parameters == 2;
        }

        if (
            (callee.Parameters is { } count && count != Parameters)
            || (Name != callee.Name && (Kind == CallKind.Exact || Name != callee.InterfaceName))
        )
            return false;
        return Type == callee.Type || Kind == CallKind.Constrained || (Kind == CallKind.Virtual && callee.IsVirtual);
    }
}

/// <summary>How an instruction binds the named method to the method that runs.</summary>
internal enum CallKind
{
    /// <summary>The named method runs.</summary>
    Exact,

    /// <summary>An override or an implementation of the named method may run (callvirt, ldvirtftn).</summary>
    Virtual,

    /// <summary>Depends on the type argument or value type that the prefix names (constrained).</summary>
    Constrained,
}
