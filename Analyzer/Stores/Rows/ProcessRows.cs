using EtwSerializerProfiler.Stores.Tables;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>Rows of table <c>process</c>.</summary>
internal static class ProcessRows
{
    /// <summary>Ticks per second of a clock that no trace describes: that of the suite's run CSV on Linux.</summary>
    private const long UsualTicksPerSecond = 1_000_000_000;

    /// <summary>Creates the rows in the order of the result.</summary>
    public static IEnumerable<StoredProcess> Of(ExtractedTrace trace) =>
        trace.Result.Processes.Select(
            (process, index) =>
            {
                var traced = trace.Traced(process.Process);
                return new StoredProcess(index, process, traced, TicksPerSecond(traced));
            }
        );

    /// <summary>Ticks per second as in the analysis: from the sources, or else from the rows of the run CSV.</summary>
    private static long TicksPerSecond(TracedProcess? traced)
    {
        if (traced is null)
            return UsualTicksPerSecond;
        if (traced.Sources.Count > 0)
            return traced.Sources[0].Clock.TicksPerSecond;
        return traced.CsvRows.Select(row => row.SelfMeasurement.TicksPerSecond).FirstOrDefault(ticks => ticks > 0, UsualTicksPerSecond);
    }
}
