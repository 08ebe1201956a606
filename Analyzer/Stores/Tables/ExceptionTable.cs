using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>exception</c>.</summary>
public static class ExceptionTable
{
    /// <summary>The table.</summary>
    public static StoreTable<ExceptionRow> Table { get; } =
        new(
            "exception",
            "Exceptions of one type and message pattern thrown in one method, in the measured runs of one serializer and test",
            [
                .. RowKeyColumns.Of<ExceptionRow>(row => row.Runs),
                new("type", "Full name of their type", row => row.Type, isNullable: true),
                new("pattern", "Common pattern of their messages", row => row.Pattern),
                new("method", "Method that threw", row => row.Method?.Name, isNullable: true),
                new("module", "Its module", row => row.Method?.Module, isNullable: true),
                new("caller", "Nearest calling method of the program, for the first exception", row => row.Caller?.Name, isNullable: true),
                new("thrown", "Times thrown, rethrows included", row => row.Count),
                new("rethrown", "Number of rethrows", row => row.Rethrown),
                new("per_run", "Exceptions per counted run", row => row.PerRun),
                new("stacks", "Number of different managed stacks", row => row.Stacks),
                new("hresult", "Their HRESULT", row => row.HResult),
                new("message", "Message of the first", row => row.Message),
            ]
        );
}
