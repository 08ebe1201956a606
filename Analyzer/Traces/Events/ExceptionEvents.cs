namespace EtwSerializerProfiler.Traces.Events;

/// <summary>An exception was thrown (event 80); a view, valid during the call.</summary>
public readonly ref struct ExceptionThrown : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Exceptions;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>Time, process and thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Full name of its type; empty when missing.</summary>
    public ReadOnlySpan<char> Type { get; init; }

    /// <summary>Its message, may be empty.</summary>
    public ReadOnlySpan<char> Message { get; init; }

    /// <summary>Its HRESULT; null when missing.</summary>
    public int? HResult { get; init; }

    /// <summary>Whether it rethrows a caught exception (<c>throw;</c>).</summary>
    public bool IsRethrown { get; init; }

    /// <summary>Managed return addresses, leaf first; empty when not recorded or not requested.</summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}
