namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>Which methods of a process can call which, by metadata and IL; each method is read once.</summary>
/// <param name="code">The process's methods.</param>
internal sealed class MethodFacts(ProcessCode code)
{
    private readonly Dictionary<long, (MethodIdentity? Identity, MethodCalls? Calls)> _known = [];

    /// <summary>A method as calls name it; null without metadata.</summary>
    public MethodIdentity? Identity(long method) => Find(method).Identity;

    /// <summary>What a method calls; null without IL, which may call anything.</summary>
    public MethodCalls? Calls(long method) => Find(method).Calls;

    private (MethodIdentity? Identity, MethodCalls? Calls) Find(long method)
    {
        if (_known.TryGetValue(method, out var known))
            return known;
        if (code.TryFindMetadata(method, out var module, out var token))
            known = (module.Method(token), module.Calls(token));
        _known.Add(method, known);
        return known;
    }
}
