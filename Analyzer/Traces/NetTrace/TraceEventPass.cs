using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Reads a .nettrace file by TraceEvent, whose parsers know the fields of events.</summary>
internal static class TraceEventPass
{
    /// <summary>Reads the file's whole blocks.</summary>
    /// <param name="layout">The file.</param>
    /// <param name="prepare">Subscribes to what is wanted. What a subscriber throws is thrown.</param>
    /// <returns>Where the file is damaged; null when it is whole.</returns>
    /// <exception cref="IOException">The file cannot be read any more.</exception>
    public static TraceDamage? Read(NetTraceLayout layout, Action<EventPipeEventSource> prepare)
    {
        using var stream = new NetTraceStream(layout);
        using var events = new EventPipeEventSource(stream);
        prepare(events);
        try
        {
            events.Process();
            return layout.Damage;
        }
#pragma warning disable CA1031 // the decoder throws whatever a damaged block makes it throw
        catch (Exception exception) when (exception is not (OutOfMemoryException or IOException))
#pragma warning restore CA1031
        {
            return new TraceDamage(layout.Path, stream.BlockStart, layout.FileBytes, $"this block cannot be decoded ({exception.GetType().Name}: {exception.Message.TrimEnd('.')})");
        }
    }
}
