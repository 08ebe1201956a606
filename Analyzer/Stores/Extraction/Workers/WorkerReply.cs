using System.Text.Json;
using System.Text.Json.Serialization;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>A worker's message: a line on its standard output.</summary>
/// <param name="Kind">Kind of the message.</param>
/// <param name="Number">Number of the trace; 0 for none.</param>
public sealed record WorkerReply(WorkerReplyKind Kind, int Number)
{
    /// <summary>Share of the task that is done, from 0 to 1.</summary>
    public double Done { get; init; }

    /// <summary>The content after hashing.</summary>
    public TraceContent? Content { get; init; }

    /// <summary>Number of inserted rows.</summary>
    public int Rows { get; init; }

    /// <summary>Why the trace is unreadable, in one line; empty when it is readable.</summary>
    public string Error { get; init; } = "";

    /// <summary>Why the store cannot be used.</summary>
    public Problem? Problem { get; init; }

    /// <summary>Whether the request is at fault.</summary>
    public bool IsUsage { get; init; }
}

/// <summary>Kinds of a worker's messages.</summary>
public enum WorkerReplyKind
{
    /// <summary>The worker accepts tasks.</summary>
    Ready = 0,

    /// <summary>Progress of a task.</summary>
    Progress = 1,

    /// <summary>The content of a trace is known, or is unreadable.</summary>
    Hashed = 2,

    /// <summary>The rows of a trace, or its error, are in the store.</summary>
    Stored = 3,

    /// <summary>The store cannot be used, so nothing more can be done.</summary>
    StoreFailed = 4,
}

/// <summary>The first line for a worker: the store, and what to extract.</summary>
/// <param name="Store">Address of the store.</param>
/// <param name="Options">What to extract.</param>
public sealed record WorkerSetup(string Store, ExtractOptions Options);

/// <summary>A task of a worker: a line on its standard input.</summary>
/// <param name="Number">Number of the trace, repeated in the replies.</param>
/// <param name="Unit">The trace.</param>
/// <param name="Content">Its content, to extract it; null to hash it.</param>
public sealed record WorkerTask(int Number, TraceUnit Unit, TraceContent? Content);

/// <summary>Formats the lines between worker and coordinator.</summary>
internal static class WorkerJson
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault,
        Converters = { new JsonStringEnumConverter() },
    };

    /// <summary>Formats a line.</summary>
    public static string Write<T>(T value) => JsonSerializer.Serialize(value, s_options);

    /// <summary>Parses a line.</summary>
    /// <exception cref="JsonException">The line is invalid.</exception>
    public static T Read<T>(string line) => JsonSerializer.Deserialize<T>(line, s_options) ?? throw new JsonException("null");
}
