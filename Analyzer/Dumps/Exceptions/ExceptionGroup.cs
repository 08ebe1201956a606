using EtwSerializerProfiler.Dumps.Stacks;
using EtwSerializerProfiler.Dumps.Threads;

namespace EtwSerializerProfiler.Dumps.Exceptions;

/// <summary>Exceptions of equal type, message, HRESULT, inner exceptions and stack.</summary>
/// <param name="First">The first of them.</param>
/// <param name="Count">How many there are.</param>
/// <param name="Thread">The thread that threw it last; null of exceptions that lie on the heap.</param>
public sealed record ExceptionGroup(ExceptionObject First, long Count, DumpThread? Thread)
{
    /// <summary>Its stack, the throwing frame first; of one that is still being thrown its thread's, as the exception has only those frames yet in which a handler was looked for.</summary>
    public IReadOnlyList<DumpFrame> Frames { get; } = Thread is null ? First.Frames : ThrowStack.Of(First.Frames, Thread.Frames);

    /// <summary>Whether it is still being thrown.</summary>
    public bool IsInFlight => !ReferenceEquals(Frames, First.Frames);

    /// <summary>The serializer in whose work it was thrown; null for none.</summary>
    public string? Serializer => SerializerOfStack.Of(Frames);
}
