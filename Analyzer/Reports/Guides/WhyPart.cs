using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>Why the serializers differ: causes of the CPU time, GCs and allocation.</summary>
internal static class WhyPart
{
    public static GuidePart Build(GuideInput input)
    {
        var part = new GuidePart("why", "Why");
        string[] operations = [RunOperation.Deserialize, RunOperation.Serialize];
        var tests = operations
            .Select(operation => (Name: operation, Rows: input.Compared(operation)))
            .Where(test => test.Rows.Count > 0)
            .ToList();
        if (tests.Count == 0)
            return part with { Missing = input.Missing(GuideKeys.Throughput) };
        var memory = GuideColumns.Main(
            "serializer",
            "test",
            "objects",
            "runs",
            "gcsGen012",
            "pauseTotalMs",
            "pauseMaxMs",
            "pausePercent",
            "allocatedBytesPerObject",
            "peakWorkingSetBytes"
        );
        return part with
        {
            Texts =
            [
                "Shares of the CPU time below the serializer's entry method, by samples; Own is the serializer's own code. Times in ms, "
                    + "GCs and pauses are sums over the runs of a row.",
            ],
            Tables = [.. tests.SelectMany(test => (Section[])[Causes(test.Name, test.Rows), Memory(test.Name, test.Rows)])],
            Recordings = [GuideInput.ReportOf(GuideKeys.Throughput)],
        };

        Section Memory(string test, IReadOnlyList<SummaryRow> rows) =>
            Section.Of($"{test.ToLowerInvariant()}Memory", $"{test}: GCs, allocation, memory", rows, memory, memory);
    }

    private static Section Causes(string test, IReadOnlyList<SummaryRow> rows)
    {
        var shown = CauseColumns.ForPeople(rows, detail: false, percent: true);
        return Section.Of($"{test.ToLowerInvariant()}Causes", $"{test}: causes of CPU time", rows, shown, CauseColumns.All);
    }
}
