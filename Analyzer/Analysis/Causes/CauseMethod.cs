using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>A method with which a cause begins on a run's stacks, or, of a serializer's own code, in which the time was spent.</summary>
/// <param name="Cause">Number of the cause in <see cref="CauseCatalog.All"/>; -1 for own code.</param>
/// <param name="Method">The method.</param>
public readonly record struct CauseMethod(int Cause, MethodName Method);
