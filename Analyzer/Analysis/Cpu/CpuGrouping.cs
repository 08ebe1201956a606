namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>What the rows of a CPU report stand for.</summary>
public enum CpuGrouping
{
    /// <summary>A method or function; overloads, instances of a generic method at other addresses and tiers together.</summary>
    Method = 0,

    /// <summary>An assembly, library, or the kernel.</summary>
    Module = 1,

    /// <summary>The namespace of the method's type; other code by its module.</summary>
    Namespace = 2,

    /// <summary>A thread.</summary>
    Thread = 3,

    /// <summary>A tag of .stacktags files, as the Windows Performance Analyzer counts: one tag a sample.</summary>
    Tag = 4,
}
