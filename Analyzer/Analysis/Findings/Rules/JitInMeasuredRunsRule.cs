using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Measured rows with compilation of more than a twentieth of their wall time; and programs without marks whose JIT takes more than a fifth
/// of their CPU time by samples, because some compilation is part of every start, and its wall time on a low-priority thread says little
/// about a program.
/// </summary>
public sealed class JitInMeasuredRunsRule : IFindingRule
{
    private const string Code = "jit";
    private const double MaxShare = 0.05;
    private const double MaxProgramShare = 0.2;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var rows = input.Result.Rows.ToLookup(RowFinding.IsProgram);
        return
        [
            .. RowFinding.Hint(
                Code,
                "JIT compilation in measured runs (all threads; over 5 % of their time)",
                rows[false].Where(row => row.JitMs > row.WallTotalMs * MaxShare),
                row => 100 * row.JitMs / row.WallTotalMs,
                row => $"{row.JitMs:0.0} ms, {Plural.Of(row.JitMethods ?? 0, "method")}, in {row.WallTotalMs:0.0} ms",
                "make the warm-up longer: the median may be of unoptimized code",
                worst: run => run.JitMs
            ),
            .. RowFinding.Hint(
                Code,
                "JIT compilation takes over 20 % of the CPU time",
                rows[true].Where(row => Share(row) > MaxProgramShare),
                row => 100 * Share(row),
                row => $"{100 * Share(row):0} %, {CpuMs(row):0} ms with all work of the JIT's own threads",
                "if start-up time matters, publish with ReadyToRun (PublishReadyToRun); otherwise record for longer, or attach later; esp-analyze jit FOLDER shows the methods",
                worst: run => run.JitMs,
                costMs: CpuMs
            ),
        ];
    }

    private static long Ticks(CauseTimes times) => times.Group(CauseCatalog.JitGroup) + times.JitThreads;

    private static double? Share(SummaryRow row) => row.Causes is { Total: > 0 } times ? (double)Ticks(times) / times.Total : null;

    private static double? CpuMs(SummaryRow row) => row.Causes is { } times ? times.ToMilliseconds(Ticks(times)) : null;
}
