namespace EtwSerializerProfiler.Stores.Extraction.Workers;

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
