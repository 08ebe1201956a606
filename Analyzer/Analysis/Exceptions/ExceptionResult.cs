using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Exceptions;

/// <summary>Rows of an exception report, with their throw stacks.</summary>
public sealed record ExceptionResult : EventResult<ExceptionRow>
{
    /// <summary>Copies rows.</summary>
    [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
    internal ExceptionResult(EventResult<ExceptionRow> rows)
        : base(rows) { }

    /// <summary>Grouping of the rows.</summary>
    public ExceptionGrouping Grouping { get; init; }

    /// <summary>Distinct throw stacks of each row, most frequent first.</summary>
    public IReadOnlyList<ThrowPath> Stacks { get; init; } = [];
}

/// <summary>Exceptions of one type and message pattern, thrown in one method.</summary>
public sealed record ExceptionRow
{
    /// <summary>Table row of their runs.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Full name of their type; null when the event lacks it (.NET Framework before 4.5).</summary>
    public required string? Type { get; init; }

    /// <summary>Common pattern of their messages, with placeholders for values ({n}, {value}, {guid}, {path}).</summary>
    public string Pattern { get; init; } = "";

    /// <summary>Process of the run; null for a row of several runs.</summary>
    public ProcessKey? Process { get; init; }

    /// <summary>Number of the run in its process; null for a row of several runs.</summary>
    public int? RunId { get; init; }

    /// <summary>Exceptions per matching run, including runs without one; for a row of one run, <see cref="Count"/>.</summary>
    public double PerRun { get; init; }

    /// <summary>Number of distinct managed stacks; null when no stack was recorded, or when some were dropped.</summary>
    public int? Stacks { get; init; }

    /// <summary>Files of the dumps taken at throws of this row, in the recording's folder.</summary>
    public IReadOnlyList<string> Dumps { get; init; } = [];

    /// <summary>Throwing method; null when no stack was recorded.</summary>
    public required MethodName? Method { get; init; }

    /// <summary>Number of throws, including rethrows.</summary>
    public required long Count { get; init; }

    /// <summary>Number of rethrows of a caught exception.</summary>
    public required long Rethrown { get; init; }

    /// <summary>Their HRESULT; null when the event lacks it.</summary>
    public required int? HResult { get; init; }

    /// <summary>Message of the first exception.</summary>
    public required string Message { get; init; }

    /// <summary>Location of the first throw.</summary>
    public EventInterval? First { get; init; }

    /// <summary>
    /// Method of the program or its libraries below which the first one was thrown; null when its stack has none, or when it is
    /// <see cref="Method"/>.
    /// </summary>
    public MethodName? Caller { get; init; }

    /// <summary>Number of throws while an XML reader read base64 text.</summary>
    public long InBase64Read { get; init; }

    /// <summary>Number of throws while an object was read by its data contract.</summary>
    public long InContractRead { get; init; }
}

/// <summary>
/// Grouping of the rows of an exception report, in addition to type, message pattern, method and the runs' serializer and test.
/// </summary>
public enum ExceptionGrouping
{
    /// <summary>All runs of a serializer and test together.</summary>
    Method = 0,

    /// <summary>A single run.</summary>
    Run = 1,

    /// <summary>All runs of a serializer and test, by the source line of the throw.</summary>
    Line = 2,
}
