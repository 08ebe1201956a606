using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Stores;
using EtwSerializerProfiler.Stores.Reading;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>Reads the recordings of a side.</summary>
internal static class SideReader
{
    /// <summary>Reads.</summary>
    /// <param name="paths">Recordings, trace files, traces of stores, or folders with several recordings in sub-folders; all of one build.</param>
    /// <param name="pdbs">PDB files for Windows traces; null for none.</param>
    /// <param name="methods">Whether causes are told by method.</param>
    /// <param name="allocations">Whether what a store has of allocations is asked for.</param>
    /// <param name="flames">Gets the stacks of the side's measured runs; null when they are not asked for.</param>
    /// <exception cref="TraceFormatException">A path names nothing that can be read.</exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    public static ComparedSide Read(IReadOnlyList<string> paths, PdbFiles? pdbs, bool methods = true, bool allocations = false, FlameReading? flames = null) => new(
        string.Join(' ', paths),
        [
            .. paths.SelectMany(path => StoreAddress.IsStore(path)
                ? ReadStore(StoreAddress.Parse(path), StoredParts.Runs | (methods ? StoredParts.Methods : 0) | (allocations ? StoredParts.Allocations : 0))
                : RecordingSets.Expand(path).Select(recording => ReadRecording(recording, pdbs, methods, flames))),
        ]);

    /// <summary>Reads one recording.</summary>
    public static ComparedRecording ReadRecording(string path, PdbFiles? pdbs, bool methods, FlameReading? flames = null)
    {
        var input = TraceInputReader.Open([path]);
        var files = ReportPrinter.Symbols(input, pdbs);
        return new ComparedRecording(path, input, RunAnalysis.Run(input.Processes, ReportPrinter.Problems(input), files, flames?.Reader(files), causeMethods: methods, recordings: input.Recordings));
    }

    private static IEnumerable<ComparedRecording> ReadStore(StoreAddress address, StoredParts parts) => StoredTraceReader.Read(address, parts)
        .Select(trace => new ComparedRecording(trace.Trace.Name, trace.Input, trace.Result) { IsStored = true, StoredAllocations = trace.Allocations });
}
