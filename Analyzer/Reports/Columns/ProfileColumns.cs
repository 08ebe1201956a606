using EtwSerializerProfiler.Reports.Profiles;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of exported samples, for CSV and JSON only. docs/exports.md defines each column; a test compares both.</summary>
public static class ProfileColumns
{
    private const double NanosecondsPerMillisecond = 1e6;

    /// <summary>All columns.</summary>
    public static IReadOnlyList<Column<MethodSum>> All { get; } =
    [
        .. RunsColumns.Of<MethodSum>(row => row.Group.Runs),
        new("processId", null, row => row.Group.Run?.ProcessId),
        new("runId", null, row => row.Group.Run?.RunId),
        new("cause", null, row => row.Category.Key),
        new("causeGroup", null, row => row.Category.Group),
        new("method", null, row => row.Method.Name),
        new("module", null, row => row.Method.Module.Length > 0 ? row.Method.Module : null),
        new("isInlined", null, row => row.Method.IsInlined),
        new("samples", null, row => row.SelfSamples),
        new("cpuMs", null, row => row.SelfNs / NanosecondsPerMillisecond),
        new("inclusiveSamples", null, row => row.TotalSamples),
        new("inclusiveCpuMs", null, row => row.TotalNs / NanosecondsPerMillisecond),
    ];
}
