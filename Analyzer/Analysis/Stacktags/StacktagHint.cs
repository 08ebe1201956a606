namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>The frame whose name a HintTag adds to its own.</summary>
public enum StacktagHint
{
    /// <summary>None: an ordinary Tag.</summary>
    None = 0,

    /// <summary>The frame that the tagged one called.</summary>
    Callee = 1,

    /// <summary>The frame that called the tagged one.</summary>
    Caller = 2,
}
