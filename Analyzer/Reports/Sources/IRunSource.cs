using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Reports.Sources;

/// <summary>A source of runs for reports: recordings and trace files (<see cref="TraceRuns"/>), or a store of analyzed traces.</summary>
public interface IRunSource
{
    /// <summary>Paths as the user named them.</summary>
    IReadOnlyList<string> Paths { get; }

    /// <summary>Reads all paths as one input.</summary>
    /// <param name="parts">What to read besides the runs.</param>
    /// <exception cref="TraceFormatException">
    /// Nothing is readable, or <see cref="RunParts.Samples"/> are requested and there are none.
    /// </exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    RunReading Read(RunParts parts);

    /// <summary>Reads each recording separately, for a comparison.</summary>
    /// <param name="query">What to read besides the runs.</param>
    /// <exception cref="TraceFormatException">Nothing is readable.</exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    IEnumerable<ComparedRecording> ReadEach(SideQuery query);
}

/// <summary>What a comparison needs from a side besides the runs.</summary>
/// <param name="Methods">Whether to break causes down by method.</param>
/// <param name="Allocations">Whether to read allocations by type.</param>
/// <param name="Flames">Receives the stacks of the side's measured runs; null for none.</param>
/// <param name="Lines">Whether stacks have source lines.</param>
public sealed record SideQuery(bool Methods = true, bool Allocations = false, FlameReading? Flames = null, bool Lines = false);
