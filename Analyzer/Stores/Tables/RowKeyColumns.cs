using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>The columns that say whose runs a row is about, the same in every table that has them.</summary>
internal static class RowKeyColumns
{
    /// <summary>The columns.</summary>
    /// <param name="key">Key of a row.</param>
    /// <param name="runtime">Runtime of a row, also where the trace has only one; empty when unknown.</param>
    public static IReadOnlyList<StoreColumn<T>> Of<T>(Func<T, SummaryKey> key, Func<T, string>? runtime = null) =>
    [
        new("serializer", "Serializer or program", row => key(row).Serializer),
        new("operation", "Operation", row => key(row).Operation),
        new("kind", "Measured, WarmUp or FirstCall", row => key(row).Kind.ToString()),
        new("objects", "Objects in the graph, 0 when that does not apply", row => key(row).ObjectCount),
        new("payload_bytes", "Extra bytes in each object", row => key(row).PayloadBytes),
        new("threads", "Threads that run the operation at the same time", row => key(row).ThreadCount),
        runtime is null
            ? new("runtime", "Runtime where the trace has runs on several, empty where it has one", row => key(row).Runtime)
            : new("runtime", "Runtime", runtime),
    ];
}
