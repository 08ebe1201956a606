namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>A method that a stack names.</summary>
/// <param name="Name">Full name without parameters; of an address without a name its module.</param>
/// <param name="Module">File name of its assembly or library.</param>
public readonly record struct MethodName(string Name, string Module);
