namespace EtwSerializerProfiler.Dumps.Heap;

/// <summary>Objects of a type with a finalizer.</summary>
/// <param name="Type">Full name of the type.</param>
/// <param name="Registered">Objects whose finalizer is to run when nothing refers to them any more.</param>
/// <param name="Ready">Objects that nothing refers to and that wait for the finalizer's thread.</param>
/// <param name="ReadyBytes">Bytes of these.</param>
public sealed record FinalizerRow(string Type, long Registered, long Ready, long ReadyBytes);
