using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Reports.Sources;

/// <summary>Where the runs of a report come from: recordings and trace files (<see cref="TraceRuns"/>), or whatever else has kept what was read of them.</summary>
public interface IRunSource
{
    /// <summary>As the user named it.</summary>
    IReadOnlyList<string> Paths { get; }

    /// <summary>Reads all of it as one.</summary>
    /// <param name="parts">What is wanted beside the runs.</param>
    /// <exception cref="TraceFormatException">Nothing can be read, or <see cref="RunParts.Samples"/> are wanted and there are none.</exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    RunReading Read(RunParts parts);

    /// <summary>Reads each recording by itself, for a comparison.</summary>
    /// <param name="query">What is wanted beside the runs.</param>
    /// <exception cref="TraceFormatException">Nothing can be read.</exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    IEnumerable<ComparedRecording> ReadEach(SideQuery query);
}

/// <summary>What a comparison wants of a side beside the runs.</summary>
/// <param name="Methods">Whether causes are told by method.</param>
/// <param name="Allocations">Whether allocations by type are wanted.</param>
/// <param name="Flames">Gets the stacks of the side's measured runs; null when they are not wanted.</param>
/// <param name="Lines">Whether the stacks have source lines.</param>
public sealed record SideQuery(bool Methods = true, bool Allocations = false, FlameReading? Flames = null, bool Lines = false);
