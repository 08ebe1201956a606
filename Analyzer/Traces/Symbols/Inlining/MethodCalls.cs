namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>What the IL of a method calls, and how large it is.</summary>
/// <param name="Targets">The methods that it names.</param>
/// <param name="CallsUnknown">Whether it calls what it does not name: a function pointer, a delegate, a method by reflection.</param>
/// <param name="IlBytes">Bytes of its IL.</param>
/// <param name="HasLoop">Whether it branches backwards.</param>
internal sealed record MethodCalls(IReadOnlyList<CallTarget> Targets, bool CallsUnknown, int IlBytes, bool HasLoop)
{
    /// <summary>The calls of methods that are named, by their IL offsets.</summary>
    public IReadOnlyList<(int Offset, CallTarget Target)> Sites { get; init; } = [];

    /// <summary>Whether an instruction allocates: it makes an object that is no value type, or calls the runtime's own code.</summary>
    public bool Allocates { get; init; }

    /// <summary>Whether it allocates what it does not throw at once: an exception is made rarely, whatever code has a throw.</summary>
    public bool AllocatesToKeep { get; init; }

    /// <summary>Whether an instruction throws.</summary>
    public bool Throws { get; init; }

    /// <summary>Whether it can call a method.</summary>
    public bool CanReach(MethodIdentity callee) => CallsUnknown || Names(callee);

    /// <summary>Whether one of the methods that it names can be, or can lead to, a method.</summary>
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
