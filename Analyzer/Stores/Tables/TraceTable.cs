using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>trace</c>.</summary>
public static class TraceTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredTrace> Table { get; } =
        new(
            "trace",
            "A recording or a trace file, including unreadable ones",
            [
                new(
                    "content_hash",
                    "SHA-256 over its files (names, sizes, contents), the schema's version and the requested tables",
                    row => row.ContentHash
                ),
                new("name", "Full path of the recording's folder or of the file", row => row.Name),
                new("status", "extracted or failed", row => row.Status),
                new("error", "Why it is unreadable, in one line; empty when it is readable", row => row.Error),
                new("format", "recording, etl, nettrace or perf", row => row.Format),
                new("bytes", "Size of its files", row => row.Bytes),
                new("tables", "Extracted tables, separated by commas; empty for all", row => row.Tables),
                new("recorded_utc", "Time of the recording in UTC, as 2026-11-21 03:00:00", row => row.RecordedUtc, isNullable: true),
                new("duration_ms", "Duration of the recording", row => row.DurationMs),
                new("branch", "Branch of the recorded program", row => row.Branch, isNullable: true),
                new("commit_id", "Commit of the recorded program", row => row.Commit, isNullable: true),
                new("program", "Name of the recorded program", row => row.Program),
                new("runtime", "Runtimes of its runs, separated by commas", row => row.Runtime),
                new("machine", "Name of the machine", row => row.Machine),
                new(
                    "machine_class",
                    "Class of machines with comparable times: operating system, architecture, processor model and count",
                    row => row.MachineClass
                ),
                new("runs_expected", "Runs expected; null when no process marks runs", row => row.RunsExpected),
                new("runs_found", "Runs found", row => row.RunsFound),
                new("lost_events", "Events lost during recording", row => row.LostEvents),
            ]
        );
}

/// <summary>A trace of a store: a recording or a trace file.</summary>
public sealed record StoredTrace
{
    /// <summary>Status of a trace with rows in the store.</summary>
    public const string Extracted = "extracted";

    /// <summary>Status of an unreadable trace; <see cref="Error"/> has the reason.</summary>
    public const string Failed = "failed";

    /// <summary>Its name in all tables: the first 16 hexadecimal digits of <see cref="ContentHash"/>.</summary>
    public required string Trace { get; init; }

    /// <summary>
    /// SHA-256 over its files (names, sizes, contents), the schema's version and the requested tables, in hexadecimal digits.
    /// </summary>
    public required string ContentHash { get; init; }

    /// <summary>Full path of the recording's folder or of the file.</summary>
    public required string Name { get; init; }

    /// <summary><see cref="Extracted"/> or <see cref="Failed"/>.</summary>
    public required string Status { get; init; }

    /// <summary>Why it is unreadable, in one line; empty when it is readable.</summary>
    public string Error { get; init; } = "";

    /// <summary><c>recording</c>, <c>etl</c>, <c>nettrace</c> or <c>perf</c>.</summary>
    public required string Format { get; init; }

    /// <summary>Size of its files in bytes.</summary>
    public required long Bytes { get; init; }

    /// <summary>Extracted tables, separated by commas; empty for all.</summary>
    public string Tables { get; init; } = "";

    /// <summary>Time of the recording in UTC, as <c>2026-11-21 03:00:00</c>; null when unknown.</summary>
    public string? RecordedUtc { get; init; }

    /// <summary>Duration of the recording in ms; null when unknown.</summary>
    public double? DurationMs { get; init; }

    /// <summary>Branch of the recorded program; null when unknown.</summary>
    public string? Branch { get; init; }

    /// <summary>Commit of the recorded program; null when unknown.</summary>
    public string? Commit { get; init; }

    /// <summary>Name of the recorded program; empty when unknown.</summary>
    public string Program { get; init; } = "";

    /// <summary>Runtimes of its runs, separated by commas; empty when unknown.</summary>
    public string Runtime { get; init; } = "";

    /// <summary>Name of the machine; empty when unknown.</summary>
    public string Machine { get; init; } = "";

    /// <summary>
    /// Class of machines with comparable times: operating system, architecture, processor model and count; empty when unknown.
    /// </summary>
    public string MachineClass { get; init; } = "";

    /// <summary>Runs expected; null when no process marks runs.</summary>
    public long? RunsExpected { get; init; }

    /// <summary>Runs found.</summary>
    public long RunsFound { get; init; }

    /// <summary>Events lost during recording.</summary>
    public long LostEvents { get; init; }
}
