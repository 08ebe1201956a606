using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>The tables of a comparison that break differences down, as far as they are requested.</summary>
internal static class DiffDetails
{
    /// <summary>
    /// Columns for people: a program that marks no runs has no test and no objects, and its name stands where there are several.
    /// </summary>
    public static IReadOnlyList<Column<T>> Shown<T>(ComparisonResult compared, IReadOnlyList<Column<T>> columns) =>
        compared.Recordings.All(recording => recording.Result.Runs.All(run => run.Delimiter == RunDelimiter.WholeProcess))
            ? RunsColumns.OfPrograms(columns, several: compared.Pairs.Count + compared.OnlyBaseline.Count + compared.OnlyOther.Count > 1)
            : columns;

    /// <summary>The requested tables.</summary>
    public static IEnumerable<Section> Of(ComparisonResult compared, DiffQuery query)
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
}
