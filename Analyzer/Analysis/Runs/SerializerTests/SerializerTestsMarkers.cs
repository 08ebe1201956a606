using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Runs.SerializerTests;

/// <summary>
/// First pass over a process without marks: finds the methods in which the marker thread of SerializerTests waits, once per run. They are
/// never inlined and named after the operation; other data is not available.
/// </summary>
internal sealed class SerializerTestsMarkers : IEventSubscriber
{
    private const string OfSerialization = "SerializeDuration";
    private const string OfDeserialization = "DeserializeDuration";

    private readonly ManagedCodeMap _methods = new();

    /// <summary>Forwards the waiting methods to <see cref="_methods"/>.</summary>
    private readonly EventHub _waiting;

    /// <summary>Creates it without methods.</summary>
    public SerializerTestsMarkers() => _waiting = EventHub.Of(_methods);

    /// <summary>Whether the process has such methods.</summary>
    public bool Any => _methods.Count > 0;

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<MethodCode>(OnMethodCode);
        hub.Subscribe<MethodCodeFreed>(OnMethodCodeFreed);
    }

    private void OnMethodCode(in MethodCode code)
    {
        if (OperationOf(code.Name).Length > 0)
            _waiting.Publish(code);
    }

    private void OnMethodCodeFreed(in MethodCodeFreed freed) => _waiting.Publish(freed);

    /// <summary>The operation that the marker thread waits for, by its stack; empty for the stack of another thread.</summary>
    public string OperationOf(ReadOnlySpan<ulong> frames, long time)
    {
        foreach (var frame in frames)
        {
            // A return address: the call is before it.
            if (_methods.TryFind(Math.Max(frame, 1) - 1, time, out var code, out _, out _))
                return OperationOf(code.Name);
        }

        return "";
    }

    private static string OperationOf(string method) =>
        method.Contains(OfDeserialization, StringComparison.Ordinal) ? RunOperation.Deserialize
        : method.Contains(OfSerialization, StringComparison.Ordinal) ? RunOperation.Serialize
        : "";
}
