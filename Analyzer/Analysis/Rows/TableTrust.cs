namespace EtwSerializerProfiler.Analysis.Rows;

/// <summary>How far the rows of a table can be compared with each other.</summary>
public enum TableVerdict
{
    /// <summary>Differences are the serializers'.</summary>
    Good,

    /// <summary>Small differences may be noise.</summary>
    Noisy,

    /// <summary>More rows are disturbed than not: only large differences mean anything.</summary>
    NotToBeCompared,
}

/// <summary>The verdict over a table, and what it rests on.</summary>
/// <param name="Rows">Rows with runs.</param>
/// <param name="LackedProcessor">Those whose thread had no processor for a part of its time.</param>
/// <param name="RanSlowly">Those of which the machine ran below its full speed around some runs.</param>
/// <param name="Spread">Those whose runs lie far apart.</param>
/// <param name="Disturbed">Those with one of these signs.</param>
/// <param name="MissingRuns">Runs that were made and not found.</param>
/// <param name="LostEvents">Events that the recorded processes could not write.</param>
public sealed record TableTrust(int Rows, int LackedProcessor, int RanSlowly, int Spread, int Disturbed, int MissingRuns, long LostEvents)
{
    /// <summary>Disturbed rows in % up to which a table is good: a row in ten has an unlucky run on any machine.</summary>
    private const int MostInGood = 10;
    private const int MostInNoisy = 50;

    /// <summary>Judges rows of a result that are shown together.</summary>
    public static TableTrust Of(AnalysisResult result, IEnumerable<SummaryRow> rows)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(rows);
        var all = rows.Where(row => row.Runs > 0).ToList();
        return new TableTrust(
            all.Count, all.Count(RowTrust.LackedProcessor), all.Count(RowTrust.RanSlowly), all.Count(RowTrust.IsSpread),
            all.Count(row => RowTrust.LackedProcessor(row) || RowTrust.RanSlowly(row) || RowTrust.IsSpread(row)),
            Math.Max(0, (result.RunsExpected ?? 0) - result.RunsFound), result.LostEvents);
    }

    /// <summary>The verdict.</summary>
    public TableVerdict Verdict => 100 * Disturbed <= MostInGood * Rows ? TableVerdict.Good : 100 * Disturbed <= MostInNoisy * Rows ? TableVerdict.Noisy : TableVerdict.NotToBeCompared;

    /// <summary>The verdict, and what to do, in a sentence without a full stop.</summary>
    public string Text => Rows == 0 ? "no runs" : Verdict switch
    {
        TableVerdict.Good when MissingRuns + LostEvents > 0 => "undisturbed, but incomplete",
        TableVerdict.Good => "good, small differences count",
        TableVerdict.Noisy => "noisy, small differences may be chance; end what else runs, or record with -steady",
        _ => "not to be compared, but for large differences; end what else runs, or record with -steady",
    };

    /// <summary>What disturbed how many rows; empty when nothing did.</summary>
    public string Reasons
    {
        get
        {
            var reasons = new List<string>();
            Add(LackedProcessor, "lacked a processor");
            Add(RanSlowly, "met a slow machine");
            Add(Spread, "varied by over 10 %");
            var texts = new List<string>();
            if (reasons.Count > 0)
                texts.Add(FormattableString.Invariant($"of {Rows} rows {string.Join(", ", reasons)}"));
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
