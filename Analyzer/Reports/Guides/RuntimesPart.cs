using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Comparison;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>The same serializers on each runtime, with the explained difference of <c>esp-analyze diff</c>.</summary>
internal static class RuntimesPart
{
    public static GuidePart Build(GuideInput input)
    {
        var part = new GuidePart("runtimes", "Runtimes");
        if (input.RuntimeRuns is not { } read)
            return part with { Missing = input.Missing(GuideKeys.Runtimes) };
        var recordings = input.RecordingsOf(GuideKeys.Runtimes);
        IReadOnlyList<Column<SummaryRow>> columns =
        [
            .. GuideColumns.Main(
                "serializer",
                "runtime",
                "test",
                "objects",
                "runs",
                "wallMedianMs",
                "spreadPercent",
                "reflectionMs",
                "activatorMs",
                "peakWorkingSetBytes"
            ),
            GuideColumns.Of<SummaryRow>("programBytes", "programBytes", "Program B", row => row),
            .. GuideColumns.Time<SummaryRow>("change", GuideKeys.Runtimes, input.Changes, row => row.Key),
        ];
        var tables = new List<Section> { Section.Of("runtimes", "", read.Result.Rows, columns, columns) };
        var notes = new List<string>();
        foreach (var other in recordings.Skip(1))
            Add(recordings[0], other, tables, notes);
        return part with
        {
            Texts =
            [
                "Ratio is other / base by CPU time; Without is the ratio without reflection and Activator, and Explained the part of the "
                    + "difference that these two make.",
            ],
            Tables = tables,
            Notes = notes,
            Recordings = [GuideInput.ReportOf(GuideKeys.Runtimes)],
        };
    }

    private static void Add(string baseline, string other, List<Section> tables, List<string> notes)
    {
        var (from, to) = (Path.GetFileName(baseline), Path.GetFileName(other));
        var query = DiffQuery.OfRuntimes;
        try
        {
            IRunSource[] sides = [new TraceRuns([baseline]), new TraceRuns([other])];
            var compared = ComparisonPrinter.Compare(sides, query.Comparison, new SideQuery());
            var report = DiffReport.Build(compared, query);
            var title = $"{from} (base) and {to} (other): ";
            if (report.Sections.Where(section => section.IsForPeople).TakeLast(1).SingleOrDefault() is { } section)
                tables.Add(section with { Title = title + section.Title });
            var walls = compared.Pairs.Select(pair => new DiffRow(pair, pair.Wall)).ToList();
            tables.Add(Section.Of($"{to}Wall", "", walls, [], DiffColumns.All).ForPrograms());
            if (compared.FactoredOut.Count > 0)
            {
                var without = DiffColumns.Without(string.Join(", ", compared.FactoredOut));
                tables.Add(Section.Of($"{to}Without", "", compared.Pairs, [], without).ForPrograms());
            }

            notes.AddRange((report.Header ?? []).Concat(report.Closing.Take(1)).Select(line => $"{from}, {to}: {line}"));
        }
        catch (Exception exception) when (exception is NotComparableException or TraceFormatException)
        {
            notes.Add($"{from}, {to}: not comparable: {exception.Message.Split('\n')[0].TrimEnd('.')}");
        }
    }
}
