using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>What the export knows of a process.</summary>
/// <param name="ProcessId">The process.</param>
/// <param name="Image">Name of its program.</param>
/// <param name="CommandLine">Its command line, empty when unknown.</param>
/// <param name="ExitCode">Its exit code; 0 when unknown, as Windows writes it for one that runs.</param>
internal sealed record ProcessFacts(int ProcessId, string Image, string CommandLine, int ExitCode)
{
    /// <summary>Of a process that the recording names: what its addresses mean; null for others, whose stacks are written as they were recorded.</summary>
    public SymbolResolver? Resolver { get; init; }

    /// <summary>Names of its code; null for others.</summary>
    public CodeNames? Names { get; init; }

    /// <summary>Time of its last sample or switch.</summary>
    public long LastTime { get; set; }

    /// <summary>Its threads that run.</summary>
    public int LivingThreads { get; set; }

    /// <summary>First addresses of the images that lie in it, with length and path.</summary>
    public Dictionary<ulong, (ulong Length, string Path)> Images { get; } = [];
}
