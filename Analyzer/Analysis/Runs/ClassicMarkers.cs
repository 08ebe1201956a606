using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// First pass over a process without marks: the methods in which the marker thread of the original SerializerTests suite waits, once for each run. They are never inlined
/// and named for the operation, and say nothing more.
/// </summary>
internal sealed class ClassicMarkers : TraceVisitor
{
    private const string OfSerialization = "SerializeDuration";
    private const string OfDeserialization = "DeserializeDuration";

    private readonly ManagedCodeMap _methods = new();

    /// <summary>Whether the process has such methods.</summary>
    public bool Any => _methods.Count > 0;

    /// <inheritdoc />
    public override void OnMethodCode(in MethodCode code)
    {
        if (OperationOf(code.Name).Length > 0)
            _methods.OnMethodCode(code);
    }

    /// <inheritdoc />
    public override void OnMethodCodeFreed(in EventAt at, ulong start) => _methods.OnMethodCodeFreed(at, start);

    /// <summary>The operation for whose end a thread with this stack waits; empty for another thread.</summary>
    public string OperationOf(ReadOnlySpan<ulong> frames, long time)
    {
        foreach (var frame in frames)
        {
            // A return address: the call lies before it.
            if (_methods.TryFind(Math.Max(frame, 1) - 1, time, out var code, out _, out _))
                return OperationOf(code.Name);
        }

        return "";
    }

    private static string OperationOf(string method) =>
        method.Contains(OfDeserialization, StringComparison.Ordinal) ? RunOperation.Deserialize : method.Contains(OfSerialization, StringComparison.Ordinal) ? RunOperation.Serialize : "";
}
