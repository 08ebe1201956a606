using System.Text.Json;
using System.Text.Json.Serialization;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>What a worker says: each is a line on its standard output.</summary>
/// <param name="Kind">What it says.</param>
/// <param name="Number">Number of the trace; 0 when it is about none.</param>
public sealed record WorkerReply(WorkerReplyKind Kind, int Number)
{
    /// <summary>How much of the task is done, from 0 to 1.</summary>
    public double Done { get; init; }

    /// <summary>Content of a trace that was to be found out.</summary>
    public TraceContent? Content { get; init; }

    /// <summary>Rows that were put into the store.</summary>
    public int Rows { get; init; }

    /// <summary>Why the trace could not be read, in one line; empty when it was.</summary>
    public string Error { get; init; } = "";

    /// <summary>Why the store cannot be used.</summary>
    public Problem? Problem { get; init; }

    /// <summary>Whether that is because of what was asked for.</summary>
    public bool IsUsage { get; init; }
}

/// <summary>Kinds of a worker's lines.</summary>
public enum WorkerReplyKind
{
    /// <summary>It takes tasks.</summary>
    Ready = 0,

    /// <summary>A task goes on.</summary>
    Progress = 1,

    /// <summary>The content of a trace is known, or cannot be read.</summary>
    Hashed = 2,

    /// <summary>The rows of a trace are in the store, or the row that says why there are none.</summary>
    Stored = 3,

    /// <summary>The store cannot be used: nothing more can be done.</summary>
    StoreFailed = 4,
}

/// <summary>The first line that a worker gets: where rows go, and what is asked for.</summary>
/// <param name="Store">Address of the store.</param>
/// <param name="Options">What is asked for.</param>
public sealed record WorkerSetup(string Store, ExtractOptions Options);

/// <summary>Something a worker is to do: each is a line on its standard input.</summary>
/// <param name="Number">Number of the trace, which the replies bear.</param>
/// <param name="Unit">The trace.</param>
/// <param name="Content">Its content, to be extracted; null to find that out.</param>
public sealed record WorkerTask(int Number, TraceUnit Unit, TraceContent? Content);

/// <summary>How lines between a worker and its coordinator are written.</summary>
internal static class WorkerJson
{
    private static readonly JsonSerializerOptions s_options = new() { DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault, Converters = { new JsonStringEnumConverter() } };

    /// <summary>One line.</summary>
    public static string Write<T>(T value) => JsonSerializer.Serialize(value, s_options);

    /// <summary>What a line says.</summary>
    /// <exception cref="JsonException">It is no such line.</exception>
    public static T Read<T>(string line) => JsonSerializer.Deserialize<T>(line, s_options) ?? throw new JsonException("null");
}
