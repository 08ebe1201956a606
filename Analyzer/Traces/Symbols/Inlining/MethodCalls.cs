namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>What the IL of a method calls, and how large it is.</summary>
/// <param name="Targets">The methods that it names.</param>
/// <param name="CallsUnknown">Whether it makes calls whose target it does not name: by a function pointer, a delegate, reflection.</param>
/// <param name="IlBytes">Bytes of its IL.</param>
/// <param name="HasLoop">Whether it branches backwards.</param>
internal sealed record MethodCalls(IReadOnlyList<CallTarget> Targets, bool CallsUnknown, int IlBytes, bool HasLoop)
{
    /// <summary>The calls of named methods by IL offset.</summary>
    public IReadOnlyList<(int Offset, CallTarget Target)> Sites { get; init; } = [];

    /// <summary>Whether an instruction allocates: it creates an object of a reference type, or calls the runtime's own code.</summary>
    public bool Allocates { get; init; }

    /// <summary>Whether it allocates anything except exceptions to throw, which are rare.</summary>
    public bool AllocatesToKeep { get; init; }

    /// <summary>Whether an instruction throws.</summary>
    public bool Throws { get; init; }

    /// <summary>Whether it can call a method.</summary>
    public bool CanReach(MethodIdentity callee) => CallsUnknown || Names(callee);

    /// <summary>Whether one of its targets can run the given method.</summary>
    public bool Names(MethodIdentity callee)
    {
        foreach (var target in Targets)
        {
            if (target.CanReach(callee))
                return true;
        }

        return false;
    }
}
