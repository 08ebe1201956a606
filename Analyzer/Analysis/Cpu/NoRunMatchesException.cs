using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Thrown when no run matches a filter, or when one of its names matches nothing; lists the choices.</summary>
public sealed class NoRunMatchesException : Exception, IProblemSource
{
    private NoRunMatchesException(Problem problem)
        : base($"{problem.What}; {problem.Fix}") => Problem = problem;

    /// <inheritdoc />
    public Problem Problem { get; }

    /// <summary>Selects the runs that match a filter.</summary>
    /// <param name="filter">The filter.</param>
    /// <param name="runs">All runs.</param>
    /// <exception cref="NoRunMatchesException">No run matches, or a name of the filter matches nothing.</exception>
    public static IReadOnlyList<Run> Chosen(RunFilter filter, IReadOnlyList<Run> runs)
    {
        ArgumentNullException.ThrowIfNull(filter);
        ArgumentNullException.ThrowIfNull(runs);
        const string place = "the runs of the recording";
        if (runs.Count > 0 && filter.Unknown(runs) is var (kind, pattern, names))
            throw new NoRunMatchesException(
                new Problem($"no run has the {kind} '{pattern}'", place, NameChoice.Advice(pattern.Text, names))
            );
        var chosen = runs.Where(filter.Matches).ToList();
        return chosen.Count > 0
            ? chosen
            : throw new NoRunMatchesException(
                new Problem(
                    "no run matches (failed runs never count; warm-ups and first calls count only with all kinds)",
                    place,
                    runs.Count > 0 ? Choice(runs) : "the recording has no runs: name another"
                )
            );
    }

    private static string Choice(IReadOnlyList<Run> runs) =>
        $"choose from serializers: {Names(runs, run => run.Identity.Serializer)}; tests: {Names(runs, run => run.Identity.Operation)}; runs: 1 to {runs.Select(run => run.RunId).DefaultIfEmpty().Max()}; runtimes: {Names(runs, run => run.Runtime)}";

    private static string Names(IReadOnlyList<Run> runs, Func<Run, string> name) =>
        string.Join(", ", runs.Select(name).Distinct().Order(StringComparer.Ordinal));
}
