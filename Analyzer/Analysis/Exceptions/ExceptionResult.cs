using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Analysis.Exceptions;

/// <summary>The rows of a report on exceptions, and the stacks they were thrown with.</summary>
public sealed record ExceptionResult : EventResult<ExceptionRow>
{
    /// <summary>Takes rows over.</summary>
    [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
    internal ExceptionResult(EventResult<ExceptionRow> rows)
        : base(rows)
    {
    }

    /// <summary>What the rows stand for.</summary>
    public ExceptionGrouping Grouping { get; init; }

    /// <summary>The different throw stacks of each row, the most frequent first.</summary>
    public IReadOnlyList<ThrowPath> Stacks { get; init; } = [];
}
