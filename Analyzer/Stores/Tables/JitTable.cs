using EtwSerializerProfiler.Analysis.Jit;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>jit</c>.</summary>
public static class JitTable
{
    /// <summary>The table.</summary>
    public static StoreTable<JitRow> Table { get; } =
        new(
            "jit",
            "Compilations of one method into one tier in the measured runs of one serializer and test",
            [
                .. RowKeyColumns.Of<JitRow>(row => row.Runs),
                new("method", "Full name without parameters; (other) for methods without a row", row => row.Method, isNullable: true),
                new("tier", "Tier of the code", row => row.Tier.ToString()),
                new("compilations", "Compilations that ended in the runs", row => row.Count),
                new("jit_ms", "Compilation time inside the runs", row => row.Ms),
                new("il_bytes", "Size of the compiled IL; null when unknown for a compilation", row => row.IlBytes),
                new("native_bytes", "Code made", row => row.NativeBytes),
                new("compiling_threads", "Threads that compiled", row => row.Threads?.ToString(), isNullable: true),
            ]
        );
}
