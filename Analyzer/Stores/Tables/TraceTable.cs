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

/// <summary>A trace: a recording, or a trace file, as a store knows it.</summary>
public sealed record StoredTrace
{
    /// <summary>Status of a trace whose rows are in the store.</summary>
    public const string Extracted = "extracted";

    /// <summary>Status of one that could not be read; <see cref="Error"/> says why.</summary>
    public const string Failed = "failed";

    /// <summary>Name of it in all tables: the first 16 hexadecimal digits of <see cref="ContentHash"/>.</summary>
    public required string Trace { get; init; }

    /// <summary>SHA-256 over its files (names, sizes, contents), the schema's version and the tables asked for, in hexadecimal digits.</summary>
    public required string ContentHash { get; init; }

    /// <summary>Full path of the recording's folder or of the file.</summary>
    public required string Name { get; init; }

    /// <summary><see cref="Extracted"/> or <see cref="Failed"/>.</summary>
    public required string Status { get; init; }

    /// <summary>Why it could not be read, in one line; empty when it was.</summary>
    public string Error { get; init; } = "";

    /// <summary><c>recording</c>, <c>etl</c>, <c>nettrace</c> or <c>perf</c>.</summary>
    public required string Format { get; init; }

    /// <summary>Size of its files in bytes.</summary>
    public required long Bytes { get; init; }

    /// <summary>Tables it was extracted into, separated by commas; empty for all.</summary>
    public string Tables { get; init; } = "";

    /// <summary>When it was recorded, UTC, as <c>2026-11-21 03:00:00</c>; null when the trace does not tell.</summary>
    public string? RecordedUtc { get; init; }

    /// <summary>How long, in ms; null when the trace does not tell.</summary>
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

    /// <summary>What makes times of machines comparable: operating system, architecture, processor and how many; empty when unknown.</summary>
    public string MachineClass { get; init; } = "";

    /// <summary>Runs expected; null when no process marks runs.</summary>
    public long? RunsExpected { get; init; }

    /// <summary>Runs found.</summary>
    public long RunsFound { get; init; }

    /// <summary>Events that could not be written while it was recorded.</summary>
    public long LostEvents { get; init; }
}
