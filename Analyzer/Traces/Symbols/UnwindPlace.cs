namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>Where a function keeps a register of its caller.</summary>
internal enum UnwindPlace
{
    /// <summary>In its register.</summary>
    Register = 0,

    /// <summary>On the stack.</summary>
    Stack = 1,

    /// <summary>It is lost. A thread begins in a function whose return address is.</summary>
    Nowhere = 2,

    /// <summary>At a place that this reader does not follow.</summary>
    Unknown = 3,
}
