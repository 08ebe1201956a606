using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>A filter leaves no run over; says what there is to choose from.</summary>
public sealed class NoRunMatchesException : Exception, IProblemSource
{
    private const string What = "no run matches (runs that failed are left out, warm-ups and first calls unless all kinds are asked for)";

    /// <summary>Creates the error.</summary>
    /// <param name="runs">Runs there are.</param>
    public NoRunMatchesException(IReadOnlyList<Run> runs)
        : base($"{What}; {Choice(runs)}") => Problem = new Problem(What, "the runs of the recording", runs.Count > 0 ? Choice(runs) : "there are no runs to choose from: name another recording");

    /// <inheritdoc />
    public Problem Problem { get; }

    private static string Choice(IReadOnlyList<Run> runs) =>
        $"choose from serializers: {Names(runs, run => run.Identity.Serializer)}; tests: {Names(runs, run => run.Identity.Operation)}; runs: 1 to {runs.Select(run => run.RunId).DefaultIfEmpty().Max()}; runtimes: {Names(runs, run => run.Runtime)}";

    private static string Names(IReadOnlyList<Run> runs, Func<Run, string> name) => string.Join(", ", runs.Select(name).Distinct().Order(StringComparer.Ordinal));
}
