namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>What a frame stands for.</summary>
/// <param name="Node">The innermost method, a node of the code's tree; 0 for the physical method alone.</param>
internal readonly record struct FrameExpansion(int Node)
{
    /// <summary>Whether several methods may have called the callee, of which none is shown.</summary>
    public bool IsUndecided { get; init; }

    /// <summary>Whether the stack lacks a frame between the node and the callee.</summary>
    public bool HasGap { get; init; }
}
