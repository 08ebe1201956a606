using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>From paths to a printed comparison.</summary>
public static class ComparisonPrinter
{
    /// <summary>Compares two sides and prints what differs, and why.</summary>
    /// <param name="paths">Recordings of the side that is compared with, and last the one that is compared.</param>
    /// <param name="query">What is asked.</param>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Where it goes.</param>
    /// <param name="pdbs">PDB files for Windows traces; null for none.</param>
    /// <returns>What is to be known of both sides.</returns>
    /// <exception cref="TraceFormatException">A path names nothing that can be read, or allocations were asked for and not recorded.</exception>
    /// <exception cref="NotComparableException">The sides have no row in common.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult PrintDiff(IReadOnlyList<string> paths, DiffQuery query, ReportFormat format, TextWriter output, PdbFiles? pdbs = null)
    {
        ArgumentNullException.ThrowIfNull(query);
        var compared = Compare(paths, query.Comparison, pdbs);
        Report report;
        try
        {
            report = DiffReport.Build(compared, query);
        }
        catch (NotRecordedException exception)
        {
            throw new TraceFormatException(paths[0], 0, $"recordings with {exception.Expected} on both sides", $"one has none; {exception.Advice}");
        }

        ReportPrinter.Write(report, format, output);
        return report.Result;
    }

    /// <summary>Reads and compares.</summary>
    internal static ComparisonResult Compare(IReadOnlyList<string> paths, ComparisonQuery query, PdbFiles? pdbs)
    {
        ArgumentNullException.ThrowIfNull(paths);
        return ComparisonAnalysis.Compare(SideReader.Read([.. paths.SkipLast(1)], pdbs), SideReader.Read([paths[^1]], pdbs), query);
    }
}
