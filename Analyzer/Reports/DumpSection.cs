using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>What the reports say about the dumps of a recording; nothing of one without.</summary>
internal static class DumpSection
{
    /// <summary>The table of dumps taken; none when there are none.</summary>
    public static IEnumerable<Section> Of(TraceInput input, IReadOnlyList<Run> runs)
    {
        var rows = DumpRow.Of(runs, input.Recordings);
        return rows.Count == 0 ? [] : [Section.OutsideCsv("dumps", "Dumps taken meanwhile (esp-analyze dump opens them; what stood still is in no row that has other runs)", rows, DumpColumns.All)];
    }

    /// <summary>Dumps asked for and not taken, a line each.</summary>
    public static IEnumerable<string> Notes(TraceInput input) => input.Recordings.SelectMany(recording =>
        recording.Description.DumpsNotTaken.Select(dump => $"{(recording.Label.Length > 0 ? recording.Label + ": " : "")}no dump at {dump.Trigger}: {dump.Reason}"));
}
