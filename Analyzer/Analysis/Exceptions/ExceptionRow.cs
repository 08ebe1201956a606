using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Exceptions;

/// <summary>Exceptions of one type that were thrown in one method.</summary>
public sealed record ExceptionRow
{
    /// <summary>The table's row whose runs they were thrown in.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Full name of their type; null when the event does not tell (.NET Framework before 4.5).</summary>
    public required string? Type { get; init; }

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
