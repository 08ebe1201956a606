using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Many young collections for what is allocated: the budget of generation 0, which the runtime makes about as large as the processor's last-level cache, is under a megabyte. So it is where the runtime cannot tell
/// the cache's size (some virtual machines and containers), or where a setting says so.
/// </summary>
public sealed class GenerationZeroBudgetRule : IFindingRule
{
    private const double SmallestBudget = 1 << 20;
    private const int LeastCollections = 10;
    private static readonly string[] s_settings = ["GCgen0size", "GCgen0MaxBudget", "GCHeapHardLimit", "GCHeapHardLimitPercent", "GCConserveMemory"];

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        return input.Result.Rows.Where(row => Young(row) >= LeastCollections && Budget(row) < SmallestBudget).GroupBy(row => row.Key.Runtime)
            .SelectMany(rows => Describe([.. rows], [.. input.Recordings.Where(recording => rows.Key.Length == 0 || recording.Label == rows.Key)]));
    }

    private static IEnumerable<Finding> Describe(List<SummaryRow> rows, IReadOnlyList<InputRecording> recordings)
    {
        // A budget as large as a small cache is what the runtime means it to be.
        var cache = recordings.Select(recording => recording.Description.Host.LastLevelCacheBytes).FirstOrDefault(bytes => bytes is not null);
        var small = rows.Where(row => cache is null || Budget(row) < cache);
        var settings = recordings.SelectMany(recording => recording.Description.Workload?.Knobs ?? []).Where(knob => s_settings.Contains(knob.Name, StringComparer.OrdinalIgnoreCase))
            .Select(knob => $"{knob.Name}={knob.Value} ({knob.Source})").Distinct().ToList();
        var advice = settings.Count > 0
            ? $"remove or raise {string.Join(", ", settings)}"
            : "look whether the machine tells its caches (lscpu); set DOTNET_GCgen0size to the size of the last-level cache, in hexadecimal";
        return RowFinding.Hint(
                "gen0-budget", cache is { } bytes ? FormattableString.Invariant($"young collections after less than 1 MB of allocation each, with a last-level cache of {bytes / 1e6:0.0} MB") : "young collections after less than 1 MB of allocation each",
                small, row => Young(row) / (row.AllocatedBytes / 1e6), row => $"one every {Budget(row) / 1e6:0.00} MB", advice, "collections/MB",
                run => run.Gcs is { } counts ? counts.Gen0 + counts.Gen1 : null)
            .Select(finding => cache is { } size ? finding with { Evidence = [.. finding.Evidence, new FindingFigure("last-level cache", size / 1e6, "MB")] } : finding)
            .Select(finding => finding with { Confidence = settings.Count > 0 ? FindingConfidence.Likely : FindingConfidence.Possible });
    }

    /// <summary>GCs of generation 0 and 1: both begin when the budget of generation 0 is used up.</summary>
    private static double? Young(SummaryRow row) => row.Gcs is { } counts ? counts.Gen0 + counts.Gen1 : null;

    /// <summary>Bytes allocated for each of them.</summary>
    private static double? Budget(SummaryRow row) => row.AllocatedBytes / Young(row);
}
