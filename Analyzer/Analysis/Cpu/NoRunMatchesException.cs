using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>A filter leaves no run over; the message says what there is to choose from.</summary>
public sealed class NoRunMatchesException : Exception
{
    /// <summary>Creates the error.</summary>
    /// <param name="runs">Runs there are.</param>
    public NoRunMatchesException(IReadOnlyList<Run> runs)
        : base($"no run matches (runs that failed are left out, warm-ups and first calls unless all kinds are asked for); "
            + $"serializers: {Names(runs, run => run.Identity.Serializer)}; tests: {Names(runs, run => run.Identity.Operation)}; runs: 1 to {runs.Select(run => run.RunId).DefaultIfEmpty().Max()}"
            + $"; runtimes: {Names(runs, run => run.Runtime)}")
    {
    }

    private static string Names(IReadOnlyList<Run> runs, Func<Run, string> name) => string.Join(", ", runs.Select(name).Distinct().Order(StringComparer.Ordinal));
}
