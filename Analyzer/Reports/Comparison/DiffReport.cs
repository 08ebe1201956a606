using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Findings;
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
        var input = new TraceInput(sides, [], [], false, [], query.IsBrief ? sides : FilesRead(compared.Recordings));
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
                        DiffDetails.Shown(compared, DiffColumns.Without(causes))
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
                Header = [.. DiffHeader.Differences(compared), .. DiffHeader.Footprint(compared)],
            };
        }

        if (walls.Count > 0)
            sections.Add(
                Section.ForPeople(
                    explained.Count > 0
                        ? "Rows without CPU samples: wall time in ms (medians; ratio: other / base)"
                        : "Wall time in ms (medians; ratio: other / base)",
                    walls,
                    DiffDetails.Shown(compared, DiffColumns.All)
                ) with
                {
                    FitsPage = true,
                }
            );
        if (others.Count > 0)
            sections.Add(
                Section.ForPeople(
                    "Other measures that differ beyond noise",
                    others,
                    DiffDetails.Shown(compared, DiffColumns.OfMetrics)
                ) with
                {
                    FitsPage = true,
                }
            );
        sections.AddRange(DiffDetails.Of(compared, query).Select(section => section with { FitsPage = true }));
        if (compared.OnlyBaseline.Count + compared.OnlyOther.Count > 0)
            sections.Add(
                Section.OutsideCsv(
                    "unmatched",
                    "In one side only",
                    [.. compared.OnlyBaseline.Select(key => (key, "base")), .. compared.OnlyOther.Select(key => (key, "other"))],
                    DiffColumns.Unmatched,
                    DiffDetails.Shown(compared, DiffColumns.Unmatched)
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
            Header = [.. DiffHeader.Of(compared)],
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
        if (compared.Recordings.Any(recording => recording.IsStored))
            yield return "Not stored: stacks; differences by method only cover the largest methods of each run (docs/stores.md)";
        yield return Line(
            $"Wall time: {verdicts.Slower} slower, {verdicts.Faster} faster, {verdicts.Same} same within noise, {verdicts.TooFew} with too few runs (needs …); between equal sides, {compared.Options.SignificanceLevel * 100:0.#} % of the rows differ by chance"
        );
        if (
            verdicts.TooFew > 0
            && compared.Recordings.SelectMany(recording => recording.Input.Recordings).Any(recording => recording.Description.BuiltInSuite)
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
            ("baseRuntimes", string.Join(", ", DiffHeader.Runtimes(compared.Baseline))),
            ("otherRuntimes", string.Join(", ", DiffHeader.Runtimes(compared.Other))),
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

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
