using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.FirstCalls;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>Builds the reports on runs.</summary>
public static class ReportBuilder
{
    private const string ProcessorTitle =
        "Processor time and waiting (On-CPU, Wait and Ready of the measuring thread add up to Wall; other columns are of the whole process)";

    /// <summary>One row per serializer and test, and a second table of first uses, if any.</summary>
    /// <param name="input">The trace input.</param>
    /// <param name="result">The analysis result.</param>
    /// <param name="detail">Adds a table of processor time and waiting.</param>
    /// <param name="firstCalls">Details of first calls; null when there are none.</param>
    /// <param name="columns">Columns of text output, by parts of headers or by field names; null or empty for all that fit.</param>
    public static Report Table(
        TraceInput input,
        AnalysisResult result,
        bool detail = false,
        FirstCallResult? firstCalls = null,
        IReadOnlyList<string>? columns = null
    )
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(result);
        var shown = SummaryColumns.Chosen(columns);
        var sections = new List<Section>
        {
            Section.Of("rows", "", result.Rows, AreOfEvents(result) ? SummaryColumns.OfEvents(shown) : shown, SummaryColumns.Main) with
            {
                HasChosenColumns = true,
            },
        };
        if (detail)
            sections.Add(Section.ForPeople(ProcessorTitle, result.Rows, SummaryColumns.Processor));
        if (result.FirstUseRows.Count > 0)
            sections.Add(
                Section.Of(
                    "firstUseRows",
                    "First use of a serializer and operation in its process (not in the table above)",
                    result.FirstUseRows,
                    SummaryColumns.FirstUse,
                    SummaryColumns.Main
                )
            );
        sections.AddRange(DumpSection.Of(input, result.Runs));
        IReadOnlyList<string> notes = [.. detail ? ProcessorNotes(input, result.Runs) : [], .. DumpSection.Notes(input)];
        if (firstCalls is null)
            return new Report("table", input, result, sections, notes);
        sections.Add(FirstCallReport.OfTable(firstCalls));
        return new Report("table", input, result, sections, [.. notes, .. FirstCallReport.Notes(firstCalls)]);
    }

    /// <summary>Whether named events delimit the runs, so that no row is a serializer.</summary>
    internal static bool AreOfEvents(AnalysisResult result) =>
        result.Runs.Count > 0 && result.Runs.All(run => run.Delimiter == RunDelimiter.Events);

    /// <summary>
    /// First screen of a recording: in text output a summary of the suite, or of a program without marks; otherwise the table.
    /// </summary>
    internal static Report FirstScreen(RunReading read, ReportFormat format, bool justMyCode = true)
    {
        var table = Table(read.Input, read.Result, firstCalls: read.FirstCalls);
        if (format != ReportFormat.Table || read.Result.Rows.Count + read.Result.FirstUseRows.Count == 0)
            return table;
        return ProgramSummary.IsFor(read) ? ProgramSummary.InPlaceOf(table, read, justMyCode) : SuiteSummary.InPlaceOf(table, read);
    }

    /// <summary>One row per run, with the delimiter's differences from the program's own clock.</summary>
    /// <inheritdoc cref="Table"/>
    public static Report Runs(TraceInput input, AnalysisResult result, bool detail = false)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(result);
        var all = Section.Of("runs", "", result.Runs, RunColumns.All, RunColumns.All);
        return detail
            ? new Report(
                "runs",
                input,
                result,
                [all, Section.ForPeople(ProcessorTitle, result.Runs, RunColumns.Processor)],
                [Differences(result.Runs), .. ProcessorNotes(input, result.Runs)]
            )
            : new Report("runs", input, result, [all], [Differences(result.Runs)]);
    }

    /// <summary>CPU samples of the runs, grouped as the query says, or as a call tree.</summary>
    public static Report Cpu(TraceInput input, AnalysisResult result, CpuResult cpu)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(cpu);
        var section = cpu.Tree is { } tree
            ? Section.OfTree(
                "tree",
                tree,
                row => row.Depth,
                SampledTime.Fit(CallTreeColumns.ForPeople(cpu.Query.Grouping, cpu.Query.WithWaits), tree),
                CallTreeColumns.Of(cpu.Query.Grouping, cpu.Query.WithWaits),
                whenEmpty: "(no samples)"
            )
            : Section.Of(
                "rows",
                "",
                cpu.Rows,
                SampledTime.Fit(CpuColumns.ForPeople(cpu.Query.Grouping), cpu.Rows),
                CpuColumns.Of(cpu.Query.Grouping),
                whenEmpty: "(no samples)"
            );
        return new Report("cpu", input, result.WithProblems("symbols", cpu.SymbolProblems), [section], CpuSummary.Lines(cpu))
        {
            Summary = CpuSummary.Values(cpu),
        };
    }

    /// <summary>Notes on the limits of an ordinary user's kernel session.</summary>
    private static List<string> ProcessorNotes(TraceInput input, IReadOnlyList<Run> runs)
    {
        var notes = new List<string>();
        if (runs.Any(run => run.Measuring?.ReadySource == ReadySource.Preemption))
            notes.Add(
                "Ready ms: only time after a preemption; Wait ms includes the time from ready to running, because ready events were not recorded (they need root or CAP_PERFMON)"
            );
        if (input.SampleProfilerNote is { Length: > 0 } sampled)
            notes.Add($"Samples: CPU time is {sampled}");
        else if (
            input.Processes.Any(process =>
                (process.Kinds & (EventKinds.ContextSwitches | EventKinds.ThreadClocks)) == EventKinds.ThreadClocks
            )
        )
            notes.Add(
                "Samples: taken by ptrace, weighted by each thread's clock; CPU time in the kernel counts for its caller. Wait ms includes the time for which sampling stopped the thread"
            );
        else if (runs.Any(run => run is { Samples.KernelCount: null, CpuMs: not null }))
            notes.Add(
                "Samples: user mode only; the kernel's part of the CPU time is in 'Kernel or unsampled' (sampling it needs root or CAP_PERFMON)"
            );
        return notes;
    }

    private static string Differences(IReadOnlyList<Run> runs)
    {
        var compared = runs.Where(run => run.DurationDifferenceUs is not null).ToList();
        if (compared.Count == 0)
            return "Difference from the program's own clock: not recorded";
        return FormattableString.Invariant(
                $"Difference from the program's own clock over {Plural.Of(compared.Count, "run")}, median / max of |µs|: "
            )
            + $"start {Both(run => run.StartDifferenceUs)}, stop {Both(run => run.StopDifferenceUs)}, wall {Both(run => run.DurationDifferenceUs)}, marker's wait {Both(run => run.MarkerDurationDifferenceUs)}";

        string Both(Func<Run, double?> difference)
        {
            var values = compared.Select(difference).OfType<double>().Select(Math.Abs).ToList();
            if (values.Count == 0)
                return "not recorded";
            return FormattableString.Invariant($"{Statistics.Median(values):0.0} / {values.Max():0.0}");
        }
    }
}

/// <summary>Report parts on the dumps of a recording; empty without dumps.</summary>
internal static class DumpSection
{
    /// <summary>The table of dumps, if any.</summary>
    public static IEnumerable<Section> Of(TraceInput input, IReadOnlyList<Run> runs)
    {
        var rows = DumpRow.Of(runs, input.Recordings);
        return rows.Count == 0
            ? []
            :
            [
                Section.OutsideCsv(
                    "dumps",
                    "Dumps taken during the recording (esp-analyze dump opens them; a run that a dump paused counts in its row only if the row has no other)",
                    rows,
                    DumpColumns.All
                ),
            ];
    }

    /// <summary>Dumps that were requested but not taken, one line each.</summary>
    public static IEnumerable<string> Notes(TraceInput input) =>
        input.Recordings.SelectMany(recording =>
            recording.Description.DumpsNotTaken.Select(dump =>
                $"{(recording.Label.Length > 0 ? recording.Label + ": " : "")}no dump at {dump.Trigger}: {dump.Reason}"
            )
        );
}
