using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Many young GCs relative to the allocated bytes: the budget of generation 0, which the runtime sets to about the size of the processor's
/// last-level cache, is under a megabyte. This happens when the runtime cannot find the cache's size (some virtual machines and
/// containers), or when a setting reduces it.
/// </summary>
public sealed class GenerationZeroBudgetRule : IFindingRule
{
    private const double MinBudget = 1 << 20;
    private const int MinGcs = 10;
    private static readonly string[] s_settings =
    [
        "GCgen0size",
        "GCgen0MaxBudget",
        "GCHeapHardLimit",
        "GCHeapHardLimitPercent",
        "GCConserveMemory",
    ];

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        return input
            .Result.Rows.Where(row => Young(row) >= MinGcs && Budget(row) < MinBudget)
            .GroupBy(row => row.Key.Runtime)
            .SelectMany(rows =>
                Describe([.. rows], [.. input.Recordings.Where(recording => rows.Key.Length == 0 || recording.Label == rows.Key)])
            );
    }

    private static IEnumerable<Finding> Describe(List<SummaryRow> rows, IReadOnlyList<InputRecording> recordings)
    {
        // A budget as large as a small cache is intended by the runtime.
        var cache = recordings
            .Select(recording => recording.Description.Host.LastLevelCacheBytes)
            .FirstOrDefault(bytes => bytes is not null);
        var small = rows.Where(row => cache is null || Budget(row) < cache);
        var settings = recordings
            .SelectMany(recording => recording.Description.Workload?.Knobs ?? [])
            .Where(knob => s_settings.Contains(knob.Name, StringComparer.OrdinalIgnoreCase))
            .Select(knob => $"{knob.Name}={knob.Value} ({knob.Source})")
            .Distinct()
            .ToList();
        var advice =
            settings.Count > 0
                ? $"remove or raise {string.Join(", ", settings)}"
                : "check whether the machine reports its caches (lscpu); set DOTNET_GCgen0size to the size of the last-level cache, in hexadecimal";
        return RowFinding
            .Hint(
                "gen0-budget",
                cache is { } bytes
                    ? FormattableString.Invariant(
                        $"young GCs after less than 1 MB of allocation each, with a last-level cache of {bytes / 1e6:0.0} MB"
                    )
                    : "young GCs after less than 1 MB of allocation each",
                small,
                row => Young(row) / (row.AllocatedBytes / 1e6),
                row => $"one every {Budget(row) / 1e6:0.00} MB",
                advice,
                "GCs/MB",
                run => run.Gcs is { } counts ? counts.Gen0 + counts.Gen1 : null
            )
            .Select(finding =>
                cache is { } size
                    ? finding with
                    {
                        Evidence = [.. finding.Evidence, new FindingEvidence("last-level cache", size / 1e6, "MB")],
                    }
                    : finding
            )
            .Select(finding => finding with { Confidence = settings.Count > 0 ? FindingConfidence.Likely : FindingConfidence.Possible });
    }

    /// <summary>GCs of generations 0 and 1: both begin when the budget of generation 0 is exhausted.</summary>
    private static double? Young(SummaryRow row) => row.Gcs is { } counts ? counts.Gen0 + counts.Gen1 : null;

    /// <summary>Allocated bytes per young GC.</summary>
    private static double? Budget(SummaryRow row) => row.AllocatedBytes / Young(row);
}
