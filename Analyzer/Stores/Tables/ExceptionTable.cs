using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>exception</c>.</summary>
public static class ExceptionTable
{
    /// <summary>The table.</summary>
    public static StoreTable<ExceptionRow> Table { get; } = new("exception", "Exceptions of one type and message pattern thrown in one method, in the measured runs of one serializer and test",
    [
        .. RowKeyColumns.Of<ExceptionRow>(row => row.Runs),
        new("type", "Full name of their type", row => row.Type, isNullable: true),
        new("pattern", "What their messages have in common", row => row.Pattern),
        new("method", "Method that threw", row => row.Method?.Name, isNullable: true),
        new("module", "Its module", row => row.Method?.Module, isNullable: true),
        new("caller", "Method of the program that the first one was thrown below", row => row.Caller?.Name, isNullable: true),
        new("thrown", "Times thrown, rethrows included", row => row.Count),
        new("rethrown", "How many of them threw a caught exception again", row => row.Rethrown),
        new("per_run", "Exceptions for each of the runs that count", row => row.PerRun),
        new("stacks", "Different managed stacks they were thrown with", row => row.Stacks),
        new("hresult", "Their HRESULT", row => row.HResult),
        new("message", "Message of the first", row => row.Message),
    ]);
}
