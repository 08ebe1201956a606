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
