namespace EtwSerializerProfiler.Traces.Events;

/// <summary>The compilation of a method begins (MethodJittingStarted); a view, valid during the call.</summary>
public readonly ref struct JitStarted
{
    /// <summary>When and on which thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>The runtime's id of the method.</summary>
    public required long MethodId { get; init; }

    /// <summary>Size of its IL in bytes; null when it is not told.</summary>
    public int? IlBytes { get; init; }

    /// <summary>Managed return addresses, leaf first, of the code that needs the method; empty on threads of the runtime, or when they were not asked for.</summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}
