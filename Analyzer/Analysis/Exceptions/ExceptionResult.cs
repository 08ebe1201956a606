using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Inputs;

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

/// <summary>Exceptions of one type and message pattern that were thrown in one method.</summary>
public sealed record ExceptionRow
{
    /// <summary>The table's row whose runs they were thrown in.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Full name of their type; null when the event does not tell (.NET Framework before 4.5).</summary>
    public required string? Type { get; init; }

    /// <summary>What their messages have in common: values stand as placeholders ({n}, {value}, {guid}, {path}).</summary>
    public string Pattern { get; init; } = "";

    /// <summary>Process of the run; null for a row of several runs.</summary>
    public ProcessKey? Process { get; init; }

    /// <summary>Number of the run in its process; null for a row of several runs.</summary>
    public int? RunId { get; init; }

    /// <summary>Exceptions for each of the runs that count, those without one included; of a row of one run <see cref="Count"/>.</summary>
    public double PerRun { get; init; }

    /// <summary>How many different managed stacks they were thrown with; null when no stack was recorded, or not all were told apart.</summary>
    public int? Stacks { get; init; }

    /// <summary>Files of the dumps that were taken of throws of this row, in the recording's folder.</summary>
    public IReadOnlyList<string> Dumps { get; init; } = [];

    /// <summary>Method that threw; null when no stack was recorded.</summary>
    public required MethodName? Method { get; init; }

    /// <summary>Times thrown, rethrows included.</summary>
    public required long Count { get; init; }

    /// <summary>How many of them threw a caught exception again.</summary>
    public required long Rethrown { get; init; }

    /// <summary>Their HRESULT, null when the event does not tell.</summary>
    public required int? HResult { get; init; }

    /// <summary>Message of the first.</summary>
    public required string Message { get; init; }

    /// <summary>Where the first one was thrown.</summary>
    public EventPlace? First { get; init; }

    /// <summary>Method of the program, or of a library it brought, that the first one was thrown below; null when none is on its stack, or it is <see cref="Method"/>.</summary>
    public MethodName? Caller { get; init; }

    /// <summary>How many of them were thrown while a reader of XML read base64 text.</summary>
    public long InBase64Read { get; init; }

    /// <summary>How many of them were thrown while an object was read by its data contract.</summary>
    public long InContractRead { get; init; }
}

/// <summary>What the rows of a report on exceptions stand for, beside type, message pattern, place and the runs' serializer and test.</summary>
public enum ExceptionGrouping
{
    /// <summary>Nothing more: all runs of a serializer and test together.</summary>
    Method = 0,

    /// <summary>A single run.</summary>
    Run = 1,

    /// <summary>All runs of a serializer and test, by the source line of the throw.</summary>
    Line = 2,
}
