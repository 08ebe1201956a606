using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>trace</c>.</summary>
public static class TraceTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredTrace> Table { get; } = new("trace", "A recording or a trace file; also one that could not be read",
    [
        new("content_hash", "SHA-256 over its files (names, sizes, contents), the schema's version and the tables asked for", row => row.ContentHash),
        new("name", "Full path of the recording's folder or of the file", row => row.Name),
        new("status", "extracted or failed", row => row.Status),
        new("error", "Why it could not be read, in one line; empty when it was", row => row.Error),
        new("format", "recording, etl, nettrace or perf", row => row.Format),
        new("bytes", "Size of its files", row => row.Bytes),
        new("tables", "Tables it was extracted into, separated by commas; empty for all", row => row.Tables),
        new("recorded_utc", "When it was recorded, UTC, as 2026-11-21 03:00:00", row => row.RecordedUtc, isNullable: true),
        new("duration_ms", "How long it recorded", row => row.DurationMs),
        new("branch", "Branch of the recorded program", row => row.Branch, isNullable: true),
        new("commit_id", "Commit of the recorded program", row => row.Commit, isNullable: true),
        new("program", "Name of the recorded program", row => row.Program),
        new("runtime", "Runtimes of its runs, separated by commas", row => row.Runtime),
        new("machine", "Name of the machine", row => row.Machine),
        new("machine_class", "What makes times of machines comparable: operating system, architecture, processor and how many", row => row.MachineClass),
        new("runs_expected", "Runs expected; null when no process marks runs", row => row.RunsExpected),
        new("runs_found", "Runs found", row => row.RunsFound),
        new("lost_events", "Events that could not be written while it was recorded", row => row.LostEvents),
    ]);
}
