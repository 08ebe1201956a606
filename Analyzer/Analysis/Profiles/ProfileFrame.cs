using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>A method or function on the stacks of a profile.</summary>
/// <param name="Name">Full name without parameters; module+? for code without a name.</param>
/// <param name="Module">File name of its assembly or library; empty for what has none.</param>
/// <param name="Kind">Kind of code; null for a frame that stands for missing callers.</param>
/// <param name="IsInlined">Whether it was inlined where it stands.</param>
public readonly record struct ProfileFrame(string Name, string Module, CodeKind? Kind, bool IsInlined);
