using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Flames;

/// <summary>What a frame of a flame graph stands for.</summary>
/// <param name="Name">Full name of the method; of code without a name its module.</param>
/// <param name="Module">File name of its assembly or library; empty for the place of missing callers.</param>
/// <param name="Kind">Kind of code; null for the place of missing callers.</param>
/// <param name="IsInlined">Whether it is a method where it was inlined into its caller.</param>
public sealed record FlameFrame(string Name, string Module, CodeKind? Kind, bool IsInlined);
