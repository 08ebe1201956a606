using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Reads a .nettrace file with TraceEvent, whose parsers know the fields of events.</summary>
internal static class TraceEventPass
{
    /// <summary>Reads the file's complete blocks.</summary>
    /// <param name="layout">The file.</param>
    /// <param name="prepare">
    /// Subscribes to the wanted events. It gets what ends the reading early; some events may still follow. Exceptions of subscribers are
    /// rethrown.
    /// </param>
    /// <returns>Damage of the file; null when complete.</returns>
    /// <exception cref="IOException">The file became unreadable.</exception>
    public static TraceDamage? Read(NetTraceLayout layout, Action<EventPipeEventSource, Action> prepare)
    {
        using var stream = new NetTraceStream(layout);
        using var events = new EventPipeEventSource(stream);
        prepare(events, Stop);
        try
        {
            events.Process();
            return layout.Damage;
        }
#pragma warning disable CA1031 // a damaged block can make the decoder throw anything
        catch (Exception exception) when (exception is not (OutOfMemoryException or IOException))
#pragma warning restore CA1031
        {
            return new TraceDamage(
                layout.Path,
                stream.BlockStart,
                layout.FileBytes,
                $"this block cannot be decoded ({exception.GetType().Name}: {exception.Message.TrimEnd('.')})"
            );
        }

        // StopProcessing alone reads the file to its end.
        void Stop()
        {
            events.StopProcessing();
            stream.EndAfterBlock();
        }
    }
}
