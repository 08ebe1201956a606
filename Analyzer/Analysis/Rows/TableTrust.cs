using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Rows;

/// <summary>Comparability of a table's rows.</summary>
public enum TableVerdict
{
    /// <summary>At most a tenth of the rows is disturbed.</summary>
    Good,

    /// <summary>Up to half of the rows are disturbed: small differences may be noise.</summary>
    Noisy,

    /// <summary>Most rows are disturbed: only large differences are meaningful.</summary>
    NotToBeCompared,
}

/// <summary>The verdict on a table and its evidence.</summary>
/// <param name="Rows">Rows with runs.</param>
/// <param name="LackedProcessor">Rows whose thread lacked a processor (<see cref="RowTrust.LackedProcessor"/>).</param>
/// <param name="RanSlowly">Rows that the machine slowed down (<see cref="RowTrust.RanSlowly"/>).</param>
/// <param name="Spread">Rows whose runs vary (<see cref="RowTrust.IsSpread"/>).</param>
/// <param name="LaunchesDiffer">Rows whose processes differ more than their runs (<see cref="RowTrust.LaunchRange"/>).</param>
/// <param name="Unsettled">Rows whose code was not yet in its last tier (<see cref="RowTrust.UnsettledMethods"/>).</param>
/// <param name="Disturbed">Rows with at least one of these signs (<see cref="RowTrust.IsDisturbed"/>).</param>
/// <param name="MissingRuns">Expected runs that the trace does not have.</param>
/// <param name="LostEvents">Events that the recorded processes could not write.</param>
/// <param name="Fix">Advice of the findings on noise; empty without such a finding.</param>
public sealed record TableTrust(
    int Rows,
    int LackedProcessor,
    int RanSlowly,
    int Spread,
    int LaunchesDiffer,
    int Unsettled,
    int Disturbed,
    int MissingRuns,
    long LostEvents,
    string Fix
)
{
    /// <summary>One disturbed row in ten happens on any machine.</summary>
    private const int MaxPercentIfGood = 10;
    private const int MaxPercentIfNoisy = 50;

    /// <summary>Text in <see cref="Reasons"/> for rows whose thread lacked a processor.</summary>
    public const string Lacked = "lacked a processor";

    /// <summary>Codes of the findings on what disturbs rows.</summary>
    public static IReadOnlyList<string> NoiseFindings { get; } = ["noisy-machine", "spread", "launches", "unsettled"];

    /// <summary>Judges the rows that a report shows together.</summary>
    public static TableTrust Of(AnalysisResult result, IEnumerable<SummaryRow> rows)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(rows);
        var all = rows.Where(row => row.Runs > 0).ToList();
        return new TableTrust(
            all.Count,
            all.Count(RowTrust.LackedProcessor),
            all.Count(RowTrust.RanSlowly),
            all.Count(RowTrust.IsSpread),
            all.Count(row => RowTrust.LaunchRange(row) is not null),
            all.Count(row => RowTrust.UnsettledMethods(row) is not null),
            all.Count(RowTrust.IsDisturbed),
            Math.Max(0, (result.RunsExpected ?? 0) - result.RunsFound),
            result.LostEvents,
            result.Findings.FirstOrDefault(finding => NoiseFindings.Contains(finding.Code))?.Advice ?? ""
        );
    }

    /// <summary>The verdict.</summary>
    public TableVerdict Verdict =>
        100 * Disturbed <= MaxPercentIfGood * Rows ? TableVerdict.Good
        : 100 * Disturbed <= MaxPercentIfNoisy * Rows ? TableVerdict.Noisy
        : TableVerdict.NotToBeCompared;

    /// <summary>The verdict and the fix, without a full stop.</summary>
    public string Text =>
        Rows == 0
            ? "no runs"
            : Verdict switch
            {
                TableVerdict.Good => MissingRuns + LostEvents > 0 ? "undisturbed, but incomplete" : "good",
                TableVerdict.Noisy => "noisy, small differences may be chance",
                _ => "only large differences are meaningful",
            } + (Verdict == TableVerdict.Good || Fix.Length == 0 ? "" : "; " + Fix);

    /// <summary>Number of rows by sign of disturbance; empty when there are none.</summary>
    public string Reasons
    {
        get
        {
            var reasons = new List<string>();
            Add(LackedProcessor, Lacked);
            Add(RanSlowly, "ran slowly");
            Add(Spread, "varied by over 10 %");
            Add(LaunchesDiffer, "differ by launch");
            Add(Unsettled, "unsettled");
            var texts = new List<string>();
            if (reasons.Count > 0)
                texts.Add(FormattableString.Invariant($"of {Plural.Of(Rows, "row")} {string.Join(", ", reasons)}"));
            if (MissingRuns > 0)
                texts.Add(FormattableString.Invariant($"runs missing: {MissingRuns}"));
            if (LostEvents > 0)
                texts.Add(FormattableString.Invariant($"events lost: {LostEvents}"));
            return string.Join("; ", texts);

            void Add(int count, string what)
            {
                if (count > 0)
                    reasons.Add(FormattableString.Invariant($"{count} {what}"));
            }
        }
    }
}
