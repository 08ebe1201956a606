using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of runs: names and measures.</summary>
public static class RunColumns
{
    /// <summary>All columns; text output shows those with a header.</summary>
    public static IReadOnlyList<Column<Run>> All { get; } =
    [
        new("processId", "Process", run => run.ProcessId, "0"),
        new("runId", "Run", run => run.RunId, "0"),
        new("serializer", "Serializer", run => run.Identity.Serializer),
        RunsColumns.Runtime<Run>(run => run.Runtime, run => run.IsOneOfSeveralRuntimes),
        new("library", null, run => run.Identity.Library),
        new("libraryVersion", null, run => run.Identity.LibraryVersion),
        new("test", "Test", run => SummaryKey.Of(run).Test),
        new("operation", null, run => run.Identity.Operation),
        new("kind", "Kind", run => run.Identity.Kind.ToString()),
        new("objects", "N", run => run.Identity.ObjectCount > 0 ? run.Identity.ObjectCount : null, "0")
        {
            Absent = _ => Column<Run>.NotApplicable,
        },
        new("payloadBytes", null, run => run.Identity.PayloadBytes, "0"),
        new("threads", null, run => run.Identity.ThreadCount, "0"),
        new("runNumber", "No", run => run.Identity.RunNumber, "0"),
        new("startMs", "Start ms", run => run.StartMs, "0.000"),
        new("stopMs", "Stop ms", run => run.StopMs, "0.000"),
        new("startTicks", null, run => run.StartTicks, "0"),
        new("stopTicks", null, run => run.StopTicks, "0"),
        .. MeasureColumns.OfRuns([WallMeasures.Wall]),
        new("delimiter", "Delimiter", run => run.Delimiter.ToString()),
        .. MeasureColumns.OfRuns(RunMeasures.All.Except([WallMeasures.Wall])),
        new("error", "Error", run => run.Error.ReplaceLineEndings(" ")),
    ];

    /// <summary>Columns of the table of processor time, for text output; CSV and JSON have <see cref="All"/>.</summary>
    public static IReadOnlyList<Column<Run>> Processor { get; } = ProcessorColumns.Of(All);
}
