namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>What the metadata and the IL of a process's methods say of who can call whom; each method is read once.</summary>
/// <param name="methods">The process's managed code.</param>
/// <param name="files">Files with IL.</param>
internal sealed class MethodFacts(ManagedCodeMap methods, SymbolFiles files)
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
        if (methods.TryFindMetadata(method, files, out var module, out var token))
            known = (module.Method(token), module.Calls(token));
        _known.Add(method, known);
        return known;
    }
}
