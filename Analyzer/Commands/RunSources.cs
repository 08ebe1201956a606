using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Stores;
using EtwSerializerProfiler.Stores.Reports;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Opens the sources that a command's arguments name.</summary>
internal static class RunSources
{
    /// <summary>Opens all paths as one source.</summary>
    public static IRunSource Open(IReadOnlyList<string> paths, PdbFiles? pdbs) =>
        paths.Any(StoreAddress.IsStore) ? new StoredRuns(paths) : new TraceRuns(paths, pdbs);

    /// <summary>Opens each path as a source of a comparison.</summary>
    public static IReadOnlyList<IRunSource> OpenEach(IReadOnlyList<string> paths, PdbFiles? pdbs = null) =>
        [.. paths.Select(path => Open([path], pdbs))];
}
