namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>A method that an instruction names.</summary>
/// <param name="Type">Full name of its type, without type arguments; empty where a type argument decides.</param>
/// <param name="Name">Its name.</param>
/// <param name="Parameters">Number of its parameters.</param>
/// <param name="Kind">How the method that runs is found.</param>
/// <param name="IsTail">Whether nothing follows the call but the return: the caller's frame may be gone while it runs.</param>
/// <param name="Token">Token of its definition when it is in the same module; 0 otherwise.</param>
internal readonly record struct CallTarget(string Type, string Name, int Parameters, CallKind Kind, bool IsTail, int Token)
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
