using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>Builds the comparison of two sides.</summary>
internal static class DiffReport
{
    /// <summary>A remaining difference above this share counts in the summary line.</summary>
    private const double LargeDifference = 0.1;

    private const int RowsNamed = 3;

    /// <summary>Builds the report.</summary>
    /// <param name="compared">The comparison.</param>
    /// <param name="query">The query.</param>
    public static Report Build(ComparisonResult compared, DiffQuery query)
    {
        var explained = compared.FactoredOut.Count > 0 ? compared.Pairs.Where(pair => pair.Factored is not null).ToList() : [];
        var walls = compared.Pairs.Except(explained).Select(pair => new DiffRow(pair, pair.Wall)).ToList();
        var all = compared.Pairs.SelectMany(pair => pair.Metrics.Select(metric => new DiffRow(pair, metric))).ToList();
        var others = all.Where(row =>
                row.Compared.Metric != Metric.Wall
                && !(row.Compared.Metric == Metric.Cpu && explained.Contains(row.Pair))
                && row.Compared.Verdict is Verdict.Worse or Verdict.Better
            )
            .ToList();
        IReadOnlyList<string> sides = [compared.Baseline.Name, compared.Other.Name];
        var input = new TraceInput(sides, [], [], false, [], query.IsBrief ? sides : FilesRead(Recordings(compared)));
        var sections = new List<Section> { Section.Of("rows", "", all, [], DiffColumns.All).ForPrograms() };
        if (compared.FactoredOut.Count > 0)
        {
            var (names, causes) = (string.Join(" and ", compared.FactoredOut), string.Join(", ", compared.FactoredOut));
            sections.Add(Section.OutsideCsv("without", "", compared.Pairs, DiffColumns.Without(causes)).ForPrograms());
            if (explained.Count > 0)
                sections.Add(
                    Section.ForPeople(
                        $"Mean time per run in ms, and the ratio without {names} (CPU time by samples)",
                        explained,
                        Shown(compared, DiffColumns.Without(causes))
                    ) with
                    {
                        FitsPage = true,
                    }
                );
        }

        if (query.IsBrief && explained.Count > 0)
        {
            return new Report("diff", input, AnalysisResult.OfFindings([]), [sections[^1]], [.. Closing(compared)])
            {
                Header = [.. Differences(compared), .. Footprint(compared)],
            };
        }

        if (walls.Count > 0)
            sections.Add(
                Section.ForPeople(
                    explained.Count > 0
                        ? "Rows without CPU samples: wall time in ms (medians; ratio: other / base)"
                        : "Wall time in ms (medians; ratio: other / base)",
                    walls,
                    Shown(compared, DiffColumns.All)
                ) with
                {
                    FitsPage = true,
                }
            );
        if (others.Count > 0)
            sections.Add(
                Section.ForPeople("Other measures that differ beyond noise", others, Shown(compared, DiffColumns.OfMetrics)) with
                {
                    FitsPage = true,
                }
            );
        sections.AddRange(Details(compared, query).Select(section => section with { FitsPage = true }));
        if (compared.OnlyBaseline.Count + compared.OnlyOther.Count > 0)
            sections.Add(
                Section.OutsideCsv(
                    "unmatched",
                    "In one side only",
                    [.. compared.OnlyBaseline.Select(key => (key, "base")), .. compared.OnlyOther.Select(key => (key, "other"))],
                    DiffColumns.Unmatched,
                    Shown(compared, DiffColumns.Unmatched)
                )
            );
        return new Report(
            "diff",
            input,
            AnalysisResult.OfFindings(Warnings(compared)),
            sections,
            [.. Reasons(compared), .. Closing(compared)]
        )
        {
            Header = [.. Header(compared)],
            Summary = Summary(compared),
        };
    }

    /// <summary>Files of the recordings; a store with several of them appears once.</summary>
    internal static IReadOnlyList<string> FilesRead(IEnumerable<ComparedRecording> recordings)
    {
        var stored = recordings.ToLookup(recording => recording.IsStored);
        return
        [
            .. stored[false].SelectMany(recording => recording.Input.FilesRead),
            .. stored[true].SelectMany(recording => recording.Input.FilesRead).Distinct(),
        ];
    }

    /// <summary>
    /// Columns for people: a program that marks no runs has no test and no objects, and its name stands where there are several.
    /// </summary>
    private static IReadOnlyList<Column<T>> Shown<T>(ComparisonResult compared, IReadOnlyList<Column<T>> columns) =>
        Recordings(compared).All(recording => recording.Result.Runs.All(run => run.Delimiter == RunDelimiter.WholeProcess))
            ? RunsColumns.OfPrograms(columns, several: compared.Pairs.Count + compared.OnlyBaseline.Count + compared.OnlyOther.Count > 1)
            : columns;

    private static IEnumerable<Section> Details(ComparisonResult compared, DiffQuery query)
    {
        var explained = compared.Pairs.Where(pair => pair.Explanation is not null).ToList();
        var parts = explained.SelectMany(pair => pair.Explanation!.Parts.Select(part => new PartRow(pair, part))).ToList();
        var causes = Section.OutsideCsv(
            "causes",
            "Causes, mean ms per run (± is the standard error of the sample count)",
            parts,
            DiffColumns.Causes,
            Shown(compared, DiffColumns.Causes)
        );
        yield return (query.Detail & DiffDetail.Cause) != 0 ? causes : causes.ForPrograms();
        if ((query.Detail & DiffDetail.Method) != 0)
        {
            var methods = explained
                .SelectMany(pair =>
                    pair.Explanation!.Parts.SelectMany(part => part.Methods.Select(method => new PartRow(pair, part, method)))
                        .OrderByDescending(row => Math.Abs(row.DifferenceMs))
                        .ThenBy(row => row.Method!.Method.Name, StringComparer.Ordinal)
                        .Take(query.Top)
                )
                .ToList();
            if (methods.Count > 0)
                yield return Section.OutsideCsv(
                    "methods",
                    "Methods where causes begin, or where own code spends its time; mean ms per run",
                    methods,
                    DiffColumns.Methods,
                    Shown(compared, DiffColumns.Methods)
                );
        }

        if ((query.Detail & DiffDetail.Line) != 0)
        {
            List<List<LineDifference>> rows =
            [
                .. (compared.Lines?.Rows ?? []).GroupBy(row => row.Key).Select(row => row.Take(query.Top).ToList()),
            ];
            foreach (var lines in rows)
                yield return Section.ForPeople(
                    $"{lines[0].Key}: lines of the program and its libraries, each with the platform code it calls; mean CPU ms per run",
                    lines,
                    SampledTime.Fit(DiffColumns.OfLine, lines)
                );
            if (rows.Count > 0)
                yield return Section.OutsideCsv("lines", "", [.. rows.SelectMany(row => row)], DiffColumns.Lines).ForPrograms();
            else if (query.Detail != DiffDetail.All)
                throw new NotRecordedException(
                    "source lines",
                    "lines need CPU samples of a program that esp-record started, and its PDB: in the recording (esp-record keeps it), embedded, beside the assembly, or in --symbols PATH"
                );
        }

        if ((query.Detail & DiffDetail.Gc) != 0)
            yield return Section.OutsideCsv(
                "gcs",
                "GCs and pauses, means per run",
                compared.Pairs,
                DiffColumns.Gcs,
                Shown(compared, DiffColumns.Gcs)
            );
        if ((query.Detail & DiffDetail.Alloc) != 0)
            yield return Section.OutsideCsv(
                "allocations",
                "Allocated types, MB per run by the trace's events",
                AllocationDiff.Of(compared, query.Comparison.Filter, query.Top),
                DiffColumns.Allocations,
                Shown(compared, DiffColumns.Allocations)
            );
    }

    private static IEnumerable<string> Header(ComparisonResult compared)
    {
        yield return Side("Base", compared.Baseline);
        yield return Side("Other", compared.Other);
        foreach (var difference in Differences(compared))
            yield return difference;
        foreach (var line in Footprint(compared))
            yield return line;
        if (compared.OtherFactor != 1)
            yield return Line(
                $"Normalized: times of the other side are multiplied by {compared.OtherFactor:0.000}, the ratio of the machines' speeds"
            );
        yield return Disturbed(compared);
        yield return Noise(compared);
    }

    private static IEnumerable<string> Differences(ComparisonResult compared) =>
        compared.Differences.Select(difference => "Differs: " + difference);

    /// <summary>One line on program size and working set of both sides; none when neither recorded them.</summary>
    private static IEnumerable<string> Footprint(ComparisonResult compared)
    {
        var (baseline, other, rows) = SideFootprint.Of(compared.Pairs);
        List<string> parts = [];
        if (baseline.ProgramBytes is not null || other.ProgramBytes is not null)
            parts.Add($"size {Megabytes(baseline.ProgramBytes)} against {Megabytes(other.ProgramBytes)}");
        if (rows > 0)
        {
            var (from, to) = (Megabytes(baseline.PeakWorkingSetBytes), Megabytes(other.PeakWorkingSetBytes));
            parts.Add($"peak working set {from} against {to} (medians of {Plural.Of(rows, "row")})");
        }

        if (parts.Count > 0)
            yield return $"Program: {string.Join("; ", parts)}";
    }

    private static string Megabytes(double? bytes) => bytes is { } known ? Line($"{known / 1e6:0.0} MB") : Column<ComparedPair>.NotRecorded;

    private static string Noise(ComparisonResult compared)
    {
        int baseline = compared.Pairs.Max(pair => pair.Baseline.Clusters.Count),
            other = compared.Pairs.Max(pair => pair.Other.Clusters.Count);
        var isOfRecordings = compared.Baseline.Recordings.Count > 1 || compared.Other.Recordings.Count > 1;
        return baseline > 1 || other > 1
            ? Line(
                $"Noise: of runs and of {(isOfRecordings ? "recordings" : "processes")}, measured over {baseline} of base and {other} of other"
            )
            : Line(
                $"Noise: of runs; with one process per side, the difference between processes of one build cannot be measured and is assumed to be {compared.Options.AssumedBetween * 100:0.#} % (record with -launches, or name several recordings or a folder of them as base)"
            );
    }

    private static string Side(string name, ComparedSide side)
    {
        var runs = side.Recordings.Sum(recording => recording.Result.RunsFound);
        var started = side
            .Recordings.SelectMany(recording => recording.Input.Recordings)
            .Select(recording => recording.Description.StartedUtc)
            .Order()
            .Select(time => time.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) + " UTC")
            .ToList();
        var when = started.Count switch
        {
            0 => "",
            1 => ", " + started[0],
            _ => $", {started[0]} to {started[^1]}",
        };
        return Line(
            $"{name}: {side.Name}{(side.Recordings.Count > 1 ? $" ({Plural.Of(side.Recordings.Count, "recording")})" : "")}{when}; {string.Join(", ", Runtimes(side))}; runs found {runs}, missing {side.MissingRuns}, events lost {side.LostEvents}"
        );
    }

    private static IEnumerable<string> Runtimes(ComparedSide side) =>
        side
            .Recordings.SelectMany(recording => recording.Input.Processes)
            .Select(process => process.RuntimeVersion)
            .Where(version => version.Length > 0)
            .Distinct()
            .DefaultIfEmpty("runtime unknown");

    private static string Disturbed(ComparisonResult compared)
    {
        if (compared.Options.KeepDisturbedRuns)
            return "Disturbed runs: included (--all-runs)";
        var alone = compared.Pairs.Count(pair => pair.AreDisturbed) is var rows and > 0
            ? Line($"; {Plural.Of(rows, "row")} with only disturbed runs compared by these")
            : "";
        var (baseline, other) = compared.DisturbedRuns;
        var isProbed = Disturbance.FastestOf(compared.Baseline) is not null && Disturbance.FastestOf(compared.Other) is not null;
        var isSwitched = Recordings(compared).All(recording => recording.Result.Runs.Any(run => run.Measuring is not null));
        var signs = new List<string>();
        if (isProbed)
            signs.Add(Line($"a speed probe beside the run took over {SpeedProbe.SlowFactor:0.00} times the shortest"));
        if (isSwitched)
            signs.Add(Line($"other processes held its processor for over {Disturbance.ReadyShare * 100:0} % of its time"));
        var unknown = isProbed ? "" : "; the machine's speed beside the runs was not recorded (the suite of esp-record probes it)";
        return signs.Count == 0
            ? "Disturbed runs: unknown; neither the machine's speed (the suite of esp-record probes it) nor context switches were recorded on both sides"
            : Line($"Disturbed runs, excluded: {baseline} of base, {other} of other ({string.Join(", or ", signs)}){alone}{unknown}");
    }

    private static IEnumerable<string> Reasons(ComparisonResult compared)
    {
        var changed = compared.Pairs.Where(pair => pair.Wall.Verdict is Verdict.Worse or Verdict.Better).ToList();
        var sentences = changed.Select(pair => Explain(compared, pair)).OfType<string>().ToList();
        if (sentences.Count == 0)
            yield break;
        yield return "Why (means over the runs; a part is listed if it exceeds twice its sampling error):";
        foreach (var sentence in sentences)
            yield return "  " + sentence;
    }

    /// <summary>Explains why the sides of a pair differ; null when nothing recorded explains it.</summary>
    internal static string? Explain(ComparisonResult compared, ComparedPair pair) =>
        ComparisonText.Explain(pair, OtherSide(compared), compared.FactoredOut);

    /// <summary>What distinguishes the other side: its runtime, if different.</summary>
    private static string OtherSide(ComparisonResult compared)
    {
        static List<string> Names(ComparedSide side) => [.. side.Runtimes.Select(RuntimeNames.Short).Distinct()];
        var names = Names(compared.Other);
        return names.Count == 0 || Names(compared.Baseline).SequenceEqual(names) ? "now" : $"on {string.Join(", ", names)}";
    }

    /// <summary>
    /// Number of rows that differ with and without the factored-out causes; null when no causes were factored out or recorded.
    /// </summary>
    internal static string? WithoutCauses(ComparisonResult compared)
    {
        static bool Differs(MetricComparison? measure) =>
            measure is { Verdict: Verdict.Worse or Verdict.Better, Ratio: { } ratio } && Math.Max(ratio, 1 / ratio) > 1 + LargeDifference;
        var judged = compared.Pairs.Where(pair => pair.Factored is not null).ToList();
        if (judged.Count == 0)
            return null;
        var remaining = judged
            .Where(pair => Differs(pair.Without))
            .OrderByDescending(pair => Math.Abs(Math.Log(pair.Without!.Ratio!.Value)))
            .ToList();
        var names = remaining.Take(RowsNamed).Select(pair => $"{pair.Key} ({ComparisonText.Times(pair.Without!.Ratio!.Value)})");
        return Line(
                $"Without {string.Join(" and ", compared.FactoredOut)} {remaining.Count} of {Plural.Of(judged.Count, "row")} {Plural.Either(remaining.Count, "differs", "differ")} by more than {LargeDifference * 100:0} %, with them {judged.Count(pair => Differs(pair.Wall))}"
            )
            + (
                remaining.Count == 0
                    ? ""
                    : $": {string.Join(", ", names)}{(remaining.Count > RowsNamed ? Line($" and {remaining.Count - RowsNamed} more") : "")}"
            );
    }

    private static IEnumerable<string> Closing(ComparisonResult compared)
    {
        if (WithoutCauses(compared) is { } without)
            yield return without;
        if (compared.Lines is { Rows.Count: > 0 } lines)
        {
            yield return Line(
                $"Lines: {lines.BaselinePercent:0} % of base's CPU time, {lines.OtherPercent:0} % of other's; the rest is in code without lines{(lines.LeftOut.Count == 0 ? "" : $"; not compared, because the sides ran different mixes of object counts: {string.Join(", ", lines.LeftOut)}")}"
            );
            foreach (var problem in lines.Problems)
                yield return $"Lines of this file are paired only if both sides ran the same build: {problem}";
        }

        var verdicts = Counts(compared);
        if (Recordings(compared).Any(recording => recording.IsStored))
            yield return "Not stored: stacks; differences by method only cover the largest methods of each run (docs/stores.md)";
        yield return Line(
            $"Wall time: {verdicts.Slower} slower, {verdicts.Faster} faster, {verdicts.Same} same within noise, {verdicts.TooFew} with too few runs (needs …); between equal sides, {compared.Options.SignificanceLevel * 100:0.#} % of the rows differ by chance"
        );
        if (
            verdicts.TooFew > 0
            && Recordings(compared).SelectMany(recording => recording.Input.Recordings).Any(recording => recording.Description.BuiltInSuite)
        )
            yield return "For more precision, record several runs in each of 15 processes (-runs 5 -launches 15 -steady), with DOTNET_TieredPGO=0 on both sides, because each process compiles from its own profile (docs/diff-and-gate.md)";
    }

    private static (int Slower, int Faster, int Same, int TooFew) Counts(ComparisonResult compared) =>
        (
            Count(compared, Verdict.Worse),
            Count(compared, Verdict.Better),
            Count(compared, Verdict.Same),
            Count(compared, Verdict.TooFewRuns)
        );

    private static int Count(ComparisonResult compared, Verdict verdict) => compared.Pairs.Count(pair => pair.Wall.Verdict == verdict);

    private static IReadOnlyList<(string Key, object? Value)> Summary(ComparisonResult compared)
    {
        var verdicts = Counts(compared);
        var (baseline, other, _) = SideFootprint.Of(compared.Pairs);
        return
        [
            ("base", compared.Baseline.Name),
            ("other", compared.Other.Name),
            ("baseRecordings", compared.Baseline.Recordings.Count),
            ("otherRecordings", compared.Other.Recordings.Count),
            ("baseRuntimes", string.Join(", ", Runtimes(compared.Baseline))),
            ("otherRuntimes", string.Join(", ", Runtimes(compared.Other))),
            ("differs", string.Join("; ", compared.Differences)),
            ("baseProgramBytes", baseline.ProgramBytes),
            ("otherProgramBytes", other.ProgramBytes),
            ("basePeakWorkingSetBytes", baseline.PeakWorkingSetBytes),
            ("otherPeakWorkingSetBytes", other.PeakWorkingSetBytes),
            ("normalizedBy", compared.OtherFactor),
            ("baseDisturbedRuns", compared.DisturbedRuns.Baseline),
            ("otherDisturbedRuns", compared.DisturbedRuns.Other),
            ("baseLostEvents", compared.Baseline.LostEvents),
            ("otherLostEvents", compared.Other.LostEvents),
            ("baseMissingRuns", compared.Baseline.MissingRuns),
            ("otherMissingRuns", compared.Other.MissingRuns),
            ("significanceLevel", compared.Options.SignificanceLevel),
            ("power", compared.Options.Power),
            ("slower", verdicts.Slower),
            ("faster", verdicts.Faster),
            ("same", verdicts.Same),
            ("tooFewRuns", verdicts.TooFew),
        ];
    }

    /// <summary>Warnings about either side, one per kind. Hints are omitted, because they concern other tables.</summary>
    private static IReadOnlyList<Finding> Warnings(ComparisonResult compared) =>
        [.. Warnings("base: ", compared.Baseline), .. Warnings("other: ", compared.Other)];

    /// <summary>Warnings about recordings; if several share a warning, the first is named and the others are counted.</summary>
    internal static IEnumerable<Finding> Warnings(string prefix, ComparedSide side) =>
        side
            .Recordings.SelectMany(recording =>
                recording
                    .Result.Findings.Where(finding => finding.Kind == FindingKind.Warning)
                    .Select(finding => (recording.Path, Finding: finding))
            )
            .GroupBy(item => side.Recordings.Count > 1 ? item.Finding.Code : item.Finding.Text)
            .Select(group => (First: group.First(), Others: group.Select(item => item.Path).Distinct().Count() - 1))
            .Select(group =>
                group.First.Finding with
                {
                    Text =
                        prefix
                        + (side.Recordings.Count > 1 ? group.First.Path + ": " : "")
                        + group.First.Finding.Text
                        + (group.Others > 0 ? Line($" (and similar in {group.Others} more recordings)") : ""),
                }
            );

    private static IEnumerable<ComparedRecording> Recordings(ComparisonResult compared) =>
        compared.Baseline.Recordings.Concat(compared.Other.Recordings);

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>A row of the report: one measure of one pair.</summary>
/// <param name="Pair">The pair.</param>
/// <param name="Compared">The measure.</param>
public sealed record DiffRow(ComparedPair Pair, MetricComparison Compared);

/// <summary>A query for the comparison of two sides.</summary>
/// <param name="Comparison">Selects the runs and the way to compare them.</param>
/// <param name="Detail">Breakdowns of the differences.</param>
/// <param name="Top">Maximum number of methods and types per pair.</param>
public sealed record DiffQuery(ComparisonQuery Comparison, DiffDetail Detail = DiffDetail.Summary, int Top = 10)
{
    /// <summary>The explained difference of two runtimes that were recorded one after the other.</summary>
    public static DiffQuery OfRuntimes { get; } =
        new(new ComparisonQuery(new RunFilter(), new ComparisonOptions { FallBackToDisturbedRuns = true }) { FactorOut = null })
        {
            IsBrief = true,
        };

    /// <summary>Whether only the explained table and its closing lines are wanted, where causes were factored out.</summary>
    public bool IsBrief { get; init; }
}
