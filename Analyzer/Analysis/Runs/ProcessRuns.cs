namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>The runs of one process.</summary>
/// <param name="ProcessId">The process.</param>
/// <param name="Runs">Runs found, by begin.</param>
/// <param name="Expected">Runs expected: rows of the run CSV, else RunStart marks; null when the process marks no runs.</param>
/// <param name="Found">Runs delimited by the best delimiter that the sources can give.</param>
/// <param name="MissingRunIds">Numbers of the expected runs that were not found so.</param>
public sealed record ProcessRuns(int ProcessId, IReadOnlyList<Run> Runs, int? Expected, int Found, IReadOnlyList<int> MissingRunIds);
