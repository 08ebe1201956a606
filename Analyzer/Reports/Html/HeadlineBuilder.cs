using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Summarizes a recording from the rows of its tables: the fastest, the slowest with reasons, the allocations.</summary>
public static class HeadlineBuilder
{
    /// <summary>Maximum number of tests with a headline; the table has the others.</summary>
    private const int MaxTests = 6;

    /// <summary>1 - the level at which two rows count as different.</summary>
    private const double SignificanceLevel = 0.05;

    /// <summary>Minimum samples for shares of causes: the error of n samples is √n, here a fifth.</summary>
    private const int MinSamples = 25;

    /// <summary>Minimum share of a cause in a headline, in %.</summary>
    private const double MinShare = 10;

    /// <summary>From this size on, data is in MB with two decimals.</summary>
    private const double BytesInMegabytes = 100_000;

    private static readonly Column<SummaryRow> s_median = Column("wallMedianMs");
    private static readonly Column<SummaryRow> s_perObject = Column("allocatedBytesPerObject");
    private static readonly Column<SummaryRow> s_data = Column("dataBytes");
    private static readonly Column<SummaryRow> s_jit = Column("jitMs");

    /// <summary>Builds the headlines: one per test at its largest object count, then first uses and trust.</summary>
    public static IReadOnlyList<Headline> Build(AnalysisResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        var rows = result.Rows.Where(row => row.Runs > 0).ToList();
        var tests = (rows.Count > 0 ? rows : result.FirstUseRows.Where(row => row.Runs > 0 && row.Key.Kind == RunKind.FirstCall))
            .GroupBy(row => row.Key.Test)
            .Select(CommonObjectCount.RowsOf)
            .ToList();
        List<Headline> headlines = [.. tests.Take(MaxTests).Select(OfTest)];
        if (rows.Count == 0)
            headlines.Insert(
                0,
                new Headline(
                    "Measured runs",
                    [result.Rows.Count > 0 ? "All measured runs failed." : "There are no measured runs in this recording."]
                )
            );
        if (tests.Count > MaxTests)
            headlines.Add(new Headline("More tests", [Line($"{tests.Count - MaxTests} more tests are in the table below.")]));
        if (rows.Count > 0 && FirstUse(result) is { } first)
            headlines.Add(first);
        headlines.Add(Trust(result, tests.SelectMany(test => test)));
        return headlines;
    }

    private static Headline OfTest(List<SummaryRow> rows)
    {
        var sorted = rows.OrderBy(RowTrust.RankMs).ToList();
        var (fastest, slowest) = (sorted[0], sorted[^1]);
        var sentences = new List<string>();
        if (sorted.Count == 1)
            sentences.Add($"{Name(fastest)} takes {Ms(fastest)}{Runs(fastest)}.");
        else
            sentences.AddRange(Compare(fastest, slowest, sorted.Count));
        foreach (var row in sorted.Count == 1 ? [fastest] : (SummaryRow[])[slowest, fastest])
        {
            if (Causes(row) is { } causes)
                sentences.Add(causes);
        }

        if (Allocation(sorted) is { } allocation)
            sentences.Add(allocation);
        if (Data(sorted) is { } data)
            sentences.Add(data);
        var key = fastest.Key;
        return new Headline(
            $"{key.Test}{(key.ObjectCount > 0 ? Line($", {Plural.Of(key.ObjectCount, "object")}") : "")}{(key.Kind == RunKind.FirstCall ? ", first call in a process" : "")}",
            sentences
        );
    }

    private static IEnumerable<string> Compare(SummaryRow fastest, SummaryRow slowest, int rows)
    {
        var medians =
            $"{Ms(fastest)} and {Ms(slowest)} are the medians of {Count(fastest.Runs)}{(slowest.Runs == fastest.Runs ? "" : $" and {Count(slowest.Runs)}")} of {Name(fastest)} and {Name(slowest)}.";
        yield return RankComparison.Of(Walls(fastest), Walls(slowest), SignificanceLevel) switch
        {
            { Low: null } or null => $"{Name(fastest)} is ahead of {Name(slowest)}, but the runs are too few to rule out noise.",
            { PValue: <= SignificanceLevel } when RowTrust.RankMs(fastest) > 0 => Line(
                $"{Name(fastest)} is {RowTrust.RankMs(slowest) / RowTrust.RankMs(fastest):0.0} × faster than {Name(slowest)}{(rows > 2 ? Line($", the slowest of {rows}") : "")}."
            ),
            _ => $"No difference beyond noise between {Name(fastest)} and {Name(slowest)}.",
        };
        yield return medians;
    }

    /// <summary>Breakdown of a row's time, largest part first; null with too few samples.</summary>
    private static string? Causes(SummaryRow row)
    {
        if (row.Causes is not { Samples: >= MinSamples, HasEntry: true } causes)
            return null;
        var parts = CauseColumns
            .Shares([row])
            .Select(column => (Name: CauseColumns.PartName(column), Share: column.Value(row) as double?, Text: column.Text(row)))
            .Where(part => part.Share >= MinShare)
            .OrderByDescending(part => part.Share)
            .Take(4)
            .ToList();
        return parts.Count == 0
            ? null
            : Line(
                $"{Name(row)}'s CPU time: {string.Join(", ", parts.Select(part => $"{part.Text} % {PhraseOf(part.Name)}"))} ({Plural.Of(causes.Samples, "sample")})."
            );
    }

    private static string? Allocation(List<SummaryRow> rows)
    {
        var known = rows.Where(row => row.AllocatedBytesPerObject is not null)
            .OrderBy(row => row.AllocatedBytesPerObject)
            .Select(row => (Name: Name(row), Bytes: s_perObject.Text(row)))
            .ToList();
        if (known.Count == 0)
            return null;
        var (least, most) = (known[0].Bytes, known[^1].Bytes);
        return least == most
            ? $"{With(least)} {least} B per object."
            : $"{With(least)} least, {least} B per object, {Names(most)} most, {most} B.";

        string With(string bytes) => $"{Names(bytes)} {(known.Count(row => row.Bytes == bytes) == 1 ? "allocates" : "allocate")}";

        // Equal texts are equal for a reader, whatever their order.
        string Names(string bytes) =>
            known.Where(row => row.Bytes == bytes).Select(row => row.Name).ToList() switch
            {
                [var one] => one,
                [var one, var other] => $"{one} and {other}",
                var names => $"{names[0]} and {names.Count - 1} others",
            };
    }

    private static string? Data(List<SummaryRow> rows)
    {
        var known = rows.Where(row => row.DataBytes is > 0).OrderBy(row => row.DataBytes).ToList();
        return known.Count < 2 || known[0].Key.Operation != RunOperation.Serialize
            ? null
            : $"{Name(known[0])} writes the smallest data, {Size(known[0])}, {Name(known[^1])} the largest, {Size(known[^1])}.";

        static string Size(SummaryRow row) =>
            row.DataBytes >= BytesInMegabytes ? Line($"{row.DataBytes / 1e6:0.00} MB") : s_data.Text(row) + " B";
    }

    private static Headline? FirstUse(AnalysisResult result)
    {
        var rows = result.FirstUseRows.Where(row => row.Runs > 0).ToList();
        if (
            rows.MaxBy(row => row.WallMedianMs) is not { } slowest
            || rows.MinBy(row => row.WallMedianMs) is not { } fastest
            || rows.Count < 2
        )
            return null;
        return new Headline(
            "First use in a process",
            [
                $"Slowest: {slowest.Key.Test} of {Name(slowest)}, {Ms(slowest)}.",
                $"{(slowest.JitMs is null ? "" : $"JIT took {s_jit.Text(slowest)} ms meanwhile, summed over threads. ")}Fastest: {fastest.Key.Test} of {Name(fastest)}, {Ms(fastest)}.",
            ]
        );
    }

    private static Headline Trust(AnalysisResult result, IEnumerable<SummaryRow> shown)
    {
        var trust = TableTrust.Of(result, shown);
        List<string> sentences =
        [
            Sentence(trust.Text),
            .. trust.Reasons.Length > 0 ? [Sentence(trust.Reasons)] : Array.Empty<string>(),
            result.RunsExpected is { } expected
                ? Line($"{result.RunsFound} of {Plural.Of(expected, "run")} found; {Plural.Of(result.LostEvents, "event")} lost.")
                : Line($"The program marks no runs, so the whole process is one run; {Plural.Of(result.LostEvents, "event")} lost."),
        ];
        var warnings = result.Findings.Count(finding => finding.Kind == FindingKind.Warning);
        sentences.Add(Line($"{Many(warnings, "warning")} and {Many(result.Findings.Count - warnings, "hint")} are listed under Findings."));
        return new Headline("How far to trust this", sentences);
    }

    private static string Sentence(string text) => char.ToUpperInvariant(text[0]) + text[1..] + ".";

    private static List<double[]> Walls(SummaryRow row) =>
        [
            .. row
                .AllRuns.Where(run => run.Error.Length == 0)
                .GroupBy(run => run.Process)
                .Select(process => RowTrust.RankTimes(row, process)),
        ];

    private static string Name(SummaryRow row) => row.Key.Serializer + (row.Key.Runtime.Length > 0 ? $" on {row.Key.Runtime}" : "");

    private static string PhraseOf(string part) =>
        part switch
        {
            CauseColumns.OwnName => "its own code",
            "Reflection" => "reflection",
            "Types" => "casts and type loading",
            "Locks" or "Exceptions" or "Compression" => part.ToLowerInvariant(),
            "Formatting" => "formatting of numbers and text",
            "Emitted" => "emitted code",
            "Runtime" => "the runtime's helpers",
            "Kernel" => "the kernel",
            _ => part,
        };

    /// <summary>The time that ranks a row; the headline about trust counts the rows whose thread lacked a processor.</summary>
    private static string Ms(SummaryRow row) =>
        RowTrust.LackedProcessor(row) ? Line($"{RowTrust.RankMs(row):0.000} ms of CPU time") : s_median.Text(row) + " ms";

    private static string Runs(SummaryRow row) => row.Runs > 1 ? $", the median of {Count(row.Runs)}" : "";

    private static string Count(int runs) => Many(runs, "run");

    private static string Many(int count, string what) => Plural.Of(count, what);

    private static Column<SummaryRow> Column(string key) => SummaryColumns.Main.Single(column => column.Key == key);

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>A few sentences about a recording: about one test, or about all.</summary>
/// <param name="Title">Subject of the sentences.</param>
/// <param name="Sentences">The sentences; tables have every number in them.</param>
public sealed record Headline(string Title, IReadOnlyList<string> Sentences);
