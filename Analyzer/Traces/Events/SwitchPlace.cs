namespace EtwSerializerProfiler.Traces.Events;

/// <summary>Where a thread was when it left its processor, or where it had waited when it comes back. A view, valid during the call.</summary>
public readonly ref struct SwitchPlace
{
    /// <summary>When it left or came, and which thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Addresses, leaf first: those of the kernel, then those of the program.</summary>
    public required ReadOnlySpan<ulong> Frames { get; init; }

    /// <summary>How many of the first frames are the kernel's.</summary>
    public required int KernelFrames { get; init; }
}
