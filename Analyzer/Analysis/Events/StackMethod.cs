namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>A method on a stack.</summary>
/// <param name="Method">Its name.</param>
/// <param name="IsInlined">Whether its code was inlined into that of the next one.</param>
public readonly record struct StackMethod(MethodName Method, bool IsInlined);
