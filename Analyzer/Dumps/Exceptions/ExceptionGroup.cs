using EtwSerializerProfiler.Dumps.Stacks;
using EtwSerializerProfiler.Dumps.Threads;

namespace EtwSerializerProfiler.Dumps.Exceptions;

/// <summary>Exceptions of equal type, message, HRESULT, inner exceptions and stack.</summary>
/// <param name="First">The first of them.</param>
/// <param name="Count">How many there are.</param>
/// <param name="Thread">The thread that threw it last; null of exceptions that lie on the heap.</param>
public sealed record ExceptionGroup(ExceptionObject First, long Count, DumpThread? Thread)
{
    /// <summary>Its stack, or, where the runtime has not recorded it yet, its thread's below the throw.</summary>
    public IReadOnlyList<DumpFrame> Frames => First.Frames.Count > 0 || Thread is null ? First.Frames : ThrowStack.Of(Thread.Frames);

    /// <summary>The serializer in whose code it was thrown; null for none.</summary>
    public string? Serializer => (Frames.LastOrDefault(frame => frame.IsEntry) ?? Frames.FirstOrDefault(frame => frame.Serializer is not null))?.Serializer;
}
