using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Contents;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of a trace's events. docs/metrics.md defines each column; a test compares both.</summary>
public static class ContentsColumns
{
    /// <summary>Columns for a trace; process columns only when kinds were counted by process.</summary>
    public static IReadOnlyList<Column<EventCount>> Of(TraceContents contents, bool byProcess)
    {
        ArgumentNullException.ThrowIfNull(contents);
        return Of(contents.Events, contents.RecordBytes, contents.Clock, byProcess);
    }

    /// <summary>Columns for a trace with the given totals of events and record bytes.</summary>
    public static IReadOnlyList<Column<EventCount>> Of(long events, long bytes, TraceClock clock, bool byProcess)
    {
        IReadOnlyList<Column<EventCount>> process = byProcess
            ?
            [
                new("processName", "Process", kind => kind.ProcessName.Length > 0 ? kind.ProcessName : null)
                {
                    Absent = kind => kind.ProcessId < 0 ? Column<EventCount>.NotApplicable : $"({kind.ProcessId})",
                },
                new("processId", "Process id", kind => kind.ProcessId < 0 ? null : kind.ProcessId, "0")
                {
                    Absent = _ => Column<EventCount>.NotApplicable,
                },
            ]
            : [];
        return
        [
            .. process,
            new("provider", null, kind => kind.Provider.ToString()),
            new("providerName", "Provider", kind => kind.ProviderName),
            new("event", "Event", kind => kind.EventName),
            new("id", "Id", kind => kind.Id, "0") { Absent = _ => Column<EventCount>.NotApplicable },
            new("opcode", "Opcode", kind => kind.Opcode, "0") { Absent = _ => Column<EventCount>.NotApplicable },
            new("classic", null, kind => kind.IsClassic),
            new("version", "Version", kind => kind.Version, "0"),
            new("count", "Events", kind => kind.Count, "0"),
            new("countPercent", "Events %", kind => Percent(kind.Count, events), "0.00"),
            new("payloadBytes", "Payload KB", kind => (double)kind.PayloadBytes, "0.0") { Scale = 1e3 },
            new("recordBytes", "Total KB", kind => (double)kind.RecordBytes, "0.0") { Scale = 1e3 },
            new("recordPercent", "Total %", kind => Percent(kind.RecordBytes, bytes), "0.00"),
            new("firstTime", null, kind => kind.FirstTime),
            new("lastTime", null, kind => kind.LastTime),
            new("firstMs", "First ms", kind => clock.SinceOriginMilliseconds(kind.FirstTime), "0.000"),
            new("lastMs", "Last ms", kind => clock.SinceOriginMilliseconds(kind.LastTime), "0.000"),
        ];
    }

    private static double Percent(long part, long whole) => whole == 0 ? 0 : 100.0 * part / whole;
}
