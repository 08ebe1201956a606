using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>Builds the matrix serializer × cause.</summary>
public static class CausesReport
{
    /// <summary>Builds the report.</summary>
    /// <param name="input">The trace input.</param>
    /// <param name="result">The analysis result.</param>
    /// <param name="query">The query.</param>
    /// <param name="symbolProblems">Reasons for missing symbols, one sentence each.</param>
    /// <exception cref="NoRunMatchesException">No run matches the filter.</exception>
    public static Report Build(TraceInput input, AnalysisResult result, CausesQuery query, IReadOnlyList<string> symbolProblems)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(query);
        ArgumentNullException.ThrowIfNull(symbolProblems);
        List<Run> runs = [.. NoRunMatchesException.Chosen(query.Filter, result.Runs)];
        Section section;
        if (query.ByRun)
        {
            section = Section.Of("runs", "", runs, CauseColumns.ForPeople(runs, query.Detail, query.Percent), CauseColumns.AllOfRun);
        }
        else
        {
            var rows = SummaryRow.Group(runs);
            section = Section.Of("rows", "", rows, CauseColumns.ForPeople(rows, query.Detail, query.Percent), CauseColumns.All);
        }

        var all = CauseTimes.Sum(runs.Select(run => run.Causes));
        var lines = runs.GroupBy(run => run.IsOneOfSeveralRuntimes ? run.Runtime + ": " : "")
            .SelectMany(group => Lines([.. group], CauseTimes.Sum(group.Select(run => run.Causes))).Select(line => group.Key + line))
            .ToList();
        return new Report("causes", input, result.WithProblems("symbols", symbolProblems), [section], lines)
        {
            Summary = Values(runs, all),
            SummaryKey = "causes",
        };
    }

    private static List<string> Lines(List<Run> runs, CauseTimes? all)
    {
        if (all is null)
            return ["CPU samples: " + Column<Run>.NotRecorded];
        var lines = new List<string>
        {
            string.Create(
                CultureInfo.InvariantCulture,
                $"CPU samples in {Plural.Of(runs.Count, "run")}: {Ms(all.Total)} ms of the process = serializers {Ms(all.Serializer)} ms (own {Ms(all.Own)} + causes {Ms(all.Serializer - all.Own)}) + outside {Ms(all.Outside)} ms; the error of n samples is √n"
            ),
        };
        lines.Add(
            $"Stacks: inlined methods {Percent(all.Quality.ExpandedPercent)}; callers recovered {Percent(all.Quality.RecoveredPercent)}; broken {Percent(all.Quality.BrokenPercent)} (shares of the samples)"
        );
        lines.Add(
            "Other processes meanwhile: "
                + (
                    all.OtherProcesses is { } others
                        ? Ms(others) + " ms"
                        : Column<Run>.NotRecorded + " (needs a recording of the whole machine: .etl, or esp-record --system-wide)"
                )
        );
        if (CauseColumns.Unseen(runs.Select(run => run.Causes)) is { Count: > 0 } unseen)
            lines.Add($"No samples: {string.Join(", ", unseen)}");
        var unknown = runs.Where(run => run.Causes is { HasEntry: false }).Select(run => run.Identity.Serializer).Distinct().ToList();
        if (unknown.Count > 0)
            lines.Add($"Entry frame unknown: {string.Join(", ", unknown)}; all time of the measuring thread counts as the serializer's");
        return lines;

        string Ms(long ticks) => all.ToMilliseconds(ticks).ToString("0.0", CultureInfo.InvariantCulture);
    }

    private static string Percent(double? value) =>
        value is { } percent ? percent.ToString("0.0", CultureInfo.InvariantCulture) + " %" : Column<Run>.NotRecorded;

    private static IReadOnlyList<(string Key, object? Value)> Values(List<Run> runs, CauseTimes? all) =>
        [
            ("runs", runs.Count),
            ("processMs", all?.ToMilliseconds(all.Total)),
            ("serializerMs", all?.ToMilliseconds(all.Serializer)),
            ("ownMs", all?.ToMilliseconds(all.Own)),
            ("outsideMs", all?.ToMilliseconds(all.Outside)),
            ("otherProcessesMs", all?.OtherProcesses is { } others ? all.ToMilliseconds(others) : null),
            ("samplesBelowEntry", all?.Samples),
            ("expandedSamplePercent", all?.Quality.ExpandedPercent),
            ("recoveredCallersPercent", all?.Quality.RecoveredPercent),
            ("brokenStackPercent", all?.Quality.BrokenPercent),
        ];
}

/// <summary>A query for the matrix serializer × cause.</summary>
/// <param name="Filter">Selects the runs.</param>
/// <param name="ByRun">One row per run instead of one per serializer and test.</param>
/// <param name="Detail">Text output has single causes instead of groups; CSV and JSON have both.</param>
/// <param name="Percent">Text output has shares of the serializer's time instead of ms.</param>
public sealed record CausesQuery(RunFilter Filter, bool ByRun = false, bool Detail = false, bool Percent = false);
