using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>The columns that identify the runs of a row; the same in every table.</summary>
internal static class RowKeyColumns
{
    /// <summary>Creates the columns.</summary>
    /// <param name="key">Returns the key of a row.</param>
    /// <param name="runtime">Returns the runtime of a row, even if the trace has only one; empty when unknown.</param>
    public static IReadOnlyList<StoreColumn<T>> Of<T>(Func<T, SummaryKey> key, Func<T, string>? runtime = null) =>
        [
            new("serializer", "Serializer or program", row => key(row).Serializer),
            new("operation", "Operation", row => key(row).Operation),
            new("kind", "Measured, WarmUp or FirstCall", row => key(row).Kind.ToString()),
            new("objects", "Objects in the graph; 0 when this does not apply", row => key(row).ObjectCount),
            new("payload_bytes", "Extra bytes in each object", row => key(row).PayloadBytes),
            new("threads", "Threads that run the operation at the same time", row => key(row).ThreadCount),
            runtime is null
                ? new("runtime", "Runtime if the trace has runs on several; otherwise empty", row => key(row).Runtime)
                : new("runtime", "Runtime", runtime),
        ];
}
