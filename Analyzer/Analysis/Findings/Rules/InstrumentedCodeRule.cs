using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Measured rows with more than a twentieth of their CPU time in the counters of instrumented code. The runtime counts branches and types
/// in code that it will optimize, and optimizes it after 30 calls and 100 ms without compilations: such a row does not show optimized code.
/// </summary>
public sealed class InstrumentedCodeRule : IFindingRule
{
    private const string Code = "instrumented";
    private const double MaxShare = 0.05;

    /// <summary>Fewer samples in the counters may be chance.</summary>
    private const int MinSamples = 10;

    private static readonly int s_cause = CauseCatalog.IndexOf(CauseCatalog.Instrumentation);

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        return RowFinding.Hint(
            Code,
            "over 5 % of the CPU time is counters of code that is not optimized yet",
            input.Result.Rows.Where(row => !RowFinding.IsProgram(row) && Samples(row) >= MinSamples && Share(row) > MaxShare),
            row => 100 * Share(row),
            row => $"{100 * Share(row):0} %",
            "make the warm-up longer, or record on a machine with less load: the JIT optimizes when it has been idle; "
                + "DOTNET_TieredPGO=0 measures without profiles",
            worst: run => Ticks(run.Causes)
        );
    }

    private static double Ticks(CauseTimes? times) => times?.Causes[s_cause] ?? 0;

    private static double Samples(SummaryRow row) =>
        row.Causes is { Serializer: > 0 } times ? Ticks(times) / times.Serializer * times.Samples : 0;

    private static double? Share(SummaryRow row) => row.Causes is { Serializer: > 0 } times ? Ticks(times) / times.Serializer : null;
}
