using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>Facts of a process for the export.</summary>
/// <param name="ProcessId">The process.</param>
/// <param name="Image">Name of its program.</param>
/// <param name="CommandLine">Its command line, empty when unknown.</param>
/// <param name="ExitCode">Its exit code; 0 when unknown, as Windows writes it for a running process.</param>
internal sealed record ProcessFacts(int ProcessId, string Image, string CommandLine, int ExitCode)
{
    /// <summary>Resolver for a process of the recording; null for others, whose stacks are written as recorded.</summary>
    public SymbolResolver? Resolver { get; init; }

    /// <summary>Names of its code; null for others.</summary>
    public CodeNames? Names { get; init; }

    /// <summary>Time of its last sample or switch.</summary>
    public long LastTime { get; set; }

    /// <summary>Its live threads.</summary>
    public int LivingThreads { get; set; }

    /// <summary>Length and path of its images by start address.</summary>
    public Dictionary<ulong, (ulong Length, string Path)> Images { get; } = [];
}
