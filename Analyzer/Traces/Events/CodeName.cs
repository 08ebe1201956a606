using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Events;

/// <summary>Name of code that is no method, told by the trace itself: <c>esp-analyze export</c> writes what was known where it ran.</summary>
/// <param name="At">When it was told; it holds for the whole trace.</param>
/// <param name="Start">First address.</param>
/// <param name="Size">Bytes.</param>
/// <param name="Kind">Kind of code.</param>
/// <param name="ModuleId">Id of its module, as of a managed one.</param>
/// <param name="Name">The name; empty when it has none, for code that the runtime made.</param>
/// <param name="IsStub">Whether it is code that the runtime made without announcing it, of which the kind is known.</param>
public readonly record struct CodeName(EventAt At, ulong Start, uint Size, CodeKind Kind, long ModuleId, string Name, bool IsStub);
