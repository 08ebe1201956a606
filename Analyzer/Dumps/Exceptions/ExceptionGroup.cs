using EtwSerializerProfiler.Dumps.Stacks;
using EtwSerializerProfiler.Dumps.Threads;

namespace EtwSerializerProfiler.Dumps.Exceptions;

/// <summary>Exceptions with equal type, message, HRESULT, inner exceptions and stack.</summary>
/// <param name="First">The first of them.</param>
/// <param name="Count">Number of exceptions.</param>
/// <param name="Thread">The thread that threw it last; null for exceptions on the heap.</param>
public sealed record ExceptionGroup(ExceptionObject First, long Count, DumpThread? Thread)
{
    /// <summary>
    /// Its stack, throwing frame first. For an exception in flight, the stack of its thread, because the exception itself has only the
    /// frames in which the runtime has looked for a handler so far.
    /// </summary>
    public IReadOnlyList<DumpFrame> Frames { get; } = Thread is null ? First.Frames : ThrowStack.Of(First.Frames, Thread.Frames);

    /// <summary>Whether it is in flight: thrown and not caught yet.</summary>
    public bool IsInFlight => !ReferenceEquals(Frames, First.Frames);

    /// <summary>The serializer during whose work it was thrown; null for none.</summary>
    public string? Serializer => SerializerOfStack.Of(Frames);
}
