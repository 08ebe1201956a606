namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A module of an assembly was loaded (ModuleLoad).</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="ModuleId">The runtime's id of the module.</param>
/// <param name="AssemblyId">The runtime's id of its assembly.</param>
/// <param name="IsDynamic">It was made in memory by the program.</param>
/// <param name="IsReadyToRun">It holds precompiled code.</param>
public readonly record struct AssemblyModule(EventAt At, long ModuleId, long AssemblyId, bool IsDynamic, bool IsReadyToRun);
