namespace EtwSerializerProfiler.TestSupport;

/// <summary>What an edge of a call tree connects.</summary>
public enum CallTreeEdge
{
    /// <summary>A method and one that was inlined into it.</summary>
    ToInlined,

    /// <summary>An inlined method and one with code of its own.</summary>
    FromInlined,

    /// <summary>Two methods with code of their own.</summary>
    Physical,
}
