namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>What the frame address of a function is computed from.</summary>
internal enum UnwindBase
{
    /// <summary>Something this reader does not follow.</summary>
    Unknown = 0,

    /// <summary>The stack pointer.</summary>
    StackPointer = 1,

    /// <summary>The frame pointer.</summary>
    FramePointer = 2,

    /// <summary>
    /// The stack pointer plus 8, or plus 16 behind a push within each 16 bytes of code: what the linker says of all stubs of a linkage table (PLT, x64) at once.
    /// </summary>
    LinkageStub = 3,
}
