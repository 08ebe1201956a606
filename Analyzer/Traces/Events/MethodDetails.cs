namespace EtwSerializerProfiler.Traces.Events;

/// <summary>What a method is, by its place in metadata (runtime event 72): of methods that need no code of their own, as inlined ones.</summary>
/// <param name="MethodId">The runtime's id of the method.</param>
/// <param name="TypeId">The runtime's id of its type.</param>
/// <param name="Token">Its metadata token (MethodDef), in the module of its type.</param>
public readonly record struct MethodDetails(long MethodId, long TypeId, int Token);
