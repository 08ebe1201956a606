using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Rows in which very many objects were finalized: each is allocated on a slow path and survives a GC, and one thread runs all finalizers.
/// </summary>
public sealed class FinalizerRule : IFindingRule
{
    private const long MinObjects = 10_000;

    /// <summary>Fewer per second have no visible cost.</summary>
    private const double MinPerSecond = 100;

    private const string Advice =
        "dispose such objects (Dispose calls GC.SuppressFinalize), or leave finalization to a SafeHandle: each object survives a GC and waits for the finalizer thread; esp-analyze alloc FOLDER --by own shows who allocates them";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        if (input.Gcs is not { } gcs)
            return [];
        return RowFinding.Hint(
            "finalizers",
            "many objects were finalized",
            input.Result.Rows.Where(row => Objects(row) >= MinObjects && PerSecond(row) >= MinPerSecond),
            row => Objects(row),
            row => $"{string.Join(", ", Parts(row))}",
            Advice,
            unit: "",
            costMs: row => input.Methods is null ? null : Finalizers(row).Sum(method => method.InclusiveCpuMs)
        );

        long Objects(SummaryRow row) => gcs.Finalized.GetValueOrDefault(row.Key);

        double? PerSecond(SummaryRow row) => row.WallTotalMs > 0 ? Objects(row) * 1e3 / row.WallTotalMs : null;

        IEnumerable<string> Parts(SummaryRow row) =>
            [
                FormattableString.Invariant($"{Objects(row):N0}"),
                FormattableString.Invariant($"{PerSecond(row):N0} per second"),
                .. Finalizers(row).Take(1).Select(method => FormattableString.Invariant($"{method.InclusiveCpuMs:0} ms in {method.Name}")),
                .. ListedFinding.Allocates(input, row.Key),
            ];

        List<MethodCost> Finalizers(SummaryRow row) =>
            [
                .. (input.Methods ?? [])
                    .Where(method => method.Runs == row.Key && method.Name.EndsWith(".Finalize", StringComparison.Ordinal))
                    .OrderByDescending(method => method.InclusiveCpuMs),
            ];
    }
}
