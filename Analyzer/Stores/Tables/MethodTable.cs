using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>
/// Table <c>method</c>: the methods with the most time of each run, and one row for the rest, so that the rows of a run add up to the
/// serializer's time.
/// </summary>
public static class MethodTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredMethod> Table { get; } =
        new(
            "method",
            "CPU time of a run below the serializer's entry frame by cause and method: the largest ones, and one row for the rest",
            [
                new("process", "Number of the process in the trace", row => row.Process),
                new("run", "Number of the run in its process", row => row.RunId),
                new("cause", "Key of the cause that begins in the method, own for own code; empty for the rest", row => row.Cause),
                new("method", "Full name without parameters; (other) for the rest", row => row.Method),
                new("module", "File name of its assembly or library", row => row.Module),
                new("methods", "Number of methods in the row: 1, or more for the rest", row => row.Methods),
                new("cpu_ms", "CPU time", row => row.CpuMs),
            ]
        );
}

/// <summary>CPU time of a run below the serializer's entry frame, by cause and by the method with which the cause begins.</summary>
/// <param name="Process">Number of its process in the trace.</param>
/// <param name="RunId">Number of the run in its process.</param>
/// <param name="Cause">Key of the cause, <see cref="CauseTable.Own"/>, or empty for the rest.</param>
/// <param name="Method">Full name of the method; <see cref="StoreTable.Other"/> for the rest.</param>
/// <param name="Module">File name of its assembly or library; empty for the rest.</param>
/// <param name="Methods">Number of methods in the row: 1, or more for the rest.</param>
/// <param name="CpuMs">CPU time in ms.</param>
public sealed record StoredMethod(int Process, int RunId, string Cause, string Method, string Module, long Methods, double CpuMs);
