using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.FirstCalls;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>
/// Report on first calls: compilation and the rest, types, assemblies; one row per serializer, start-up kind and object count.
/// </summary>
public static class FirstCallReport
{
    private const string Title =
        "First calls, one per process, by the program's own clock (JIT ms + Rest ms = Median ms; Types ms is part of Rest ms)";

    /// <summary>Reads a recording and prints its first calls.</summary>
    /// <param name="paths">A recording's folder, or the files of one recording.</param>
    /// <param name="filter">Selects the first calls.</param>
    /// <param name="detail">
    /// Adds tables of the time before the calls and of the assemblies to text output; JSON always has the assemblies.
    /// </param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <returns>The analysis result, including findings.</returns>
    /// <exception cref="TraceFormatException">Nothing is readable, or there are no first calls.</exception>
    /// <exception cref="NoRunMatchesException">No run matches the filter.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult Print(IReadOnlyList<string> paths, RunFilter filter, bool detail, ReportFormat format, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var input = TraceInputReader.Open(paths);
        var result = RunAnalysis.Run(input.Processes, input.Missing(), causes: false, recordings: input.Recordings);
        if (result.Runs.All(run => run.Identity.Kind != RunKind.FirstCall))
            throw new TraceFormatException(
                paths[0],
                null,
                "a recording with first calls",
                "the recording has none",
                "record first calls: esp-record -test firstcall"
            );
        var report = Build(input, result, FirstCallAnalysis.Run(input.Processes, result.Runs, filter), detail);
        ReportPrinter.Write(report, format, output);
        return report.Result;
    }

    /// <summary>Builds the report.</summary>
    /// <inheritdoc cref="Print"/>
    /// <param name="input">The trace input.</param>
    /// <param name="result">Runs.</param>
    /// <param name="calls">The first calls.</param>
    /// <param name="detail">Adds the two tables.</param>
    public static Report Build(TraceInput input, AnalysisResult result, FirstCallResult calls, bool detail = false)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(calls);
        var sections = new List<Section> { Section.Of("rows", Title, calls.Rows, FirstCallColumns.All, FirstCallColumns.All) };
        if (detail)
            sections.Add(
                Section.ForPeople(
                    "Before the calls: from process launch to the start of the run's clock",
                    calls.Rows,
                    FirstCallColumns.Before
                )
            );
        var assemblies = Section.OutsideCsv(
            "assemblies",
            "Assemblies that the calls loaded, created in memory, or did not find",
            calls.Assemblies,
            FirstCallColumns.Assemblies
        );
        sections.Add(detail ? assemblies : assemblies.ForPrograms());
        return new Report("firstcalls", input, result.WithProblems("first-calls", calls.Problems), sections, Notes(calls));
    }

    /// <summary>The table report's section on first calls.</summary>
    internal static Section OfTable(FirstCallResult calls) => Section.OutsideCsv("firstCallRows", Title, calls.Rows, FirstCallColumns.All);

    /// <summary>Lines after the tables.</summary>
    internal static IReadOnlyList<string> Notes(FirstCallResult calls)
    {
        var notes = new List<string>();
        var failed = calls
            .Assemblies.Where(assembly => assembly.Outcome == AssemblyOutcome.NotFound)
            .GroupBy(assembly => assembly.Name)
            .ToList();
        if (failed.Count > 0)
            notes.Add(
                "Assemblies not found: "
                    + string.Join(
                        "; ",
                        failed.Select(assembly =>
                            $"{assembly.Key} ({string.Join(", ", assembly.Select(row => row.Calls.Serializer).Distinct())})"
                        )
                    )
            );
        if (calls.Rows.Any(row => row.HeldMs is not null))
            notes.Add("Launch ms: excludes the time that the recorder kept the process waiting");
        if (calls.Rows.Any(row => row.Types is not null || row.Precompiled is not null))
            notes.Add(
                "Events of type loads and precompiled methods were recorded; they make first calls about 45 % longer (docs/metrics.md); esp-record --startup assemblies omits them"
            );
        if (calls.Rows.Sum(row => row.FailedRuns) is > 0 and var runs)
            notes.Add(string.Create(CultureInfo.InvariantCulture, $"Failed first calls, not counted: {runs}"));
        return notes;
    }
}
