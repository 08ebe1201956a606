using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>A request that a server did not carry out, or whose answer did not come.</summary>
internal sealed class ServerFailure(Problem problem, bool isTransient, int code, string text = "", Exception? inner = null) : IOException(problem.ToString(), inner)
{
    /// <summary>What, where, what to do.</summary>
    public Problem Problem { get; } = problem;

    /// <summary>Whether the same may succeed later: no connection, an overloaded server, a proxy in between.</summary>
    public bool IsTransient { get; } = isTransient;

    /// <summary>ClickHouse's code of the error; 0 when it has none.</summary>
    public int Code { get; } = code;

    /// <summary>ClickHouse's own words; empty when it said none.</summary>
    public string Text { get; } = text;

    /// <summary>The error as users of the store get it.</summary>
    public StoreException AsStoreException() => new(Problem, this) { IsUsage = ServerErrors.IsUsage(Code) };
}
