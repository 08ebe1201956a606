namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>A provider of a user session, with the events to record.</summary>
/// <param name="Name">Its name, for example <c>Microsoft-Windows-DotNETRuntime</c>.</param>
/// <param name="Id">Its GUID.</param>
/// <param name="Keywords">Keywords; an event must have at least one of them (MatchAnyKeyword).</param>
/// <param name="Level">Highest recorded level.</param>
/// <param name="Purpose">Its purpose in a few words.</param>
public sealed record EtwProvider(string Name, Guid Id, ulong Keywords, EtwLevel Level, string Purpose)
{
    /// <summary>Whether events carry the stack of their thread; with a <see cref="StackFilter"/>, only those that pass it.</summary>
    public bool Stacks { get; init; }

    /// <summary>
    /// Fallback for tools without stack filters: stacks for all of the provider's events in this session (true) or for none (false). The
    /// tool reports either.
    /// </summary>
    public bool StacksWithoutFilter { get; init; }

    /// <summary>Events that carry a stack; null for all. Without <see cref="Stacks"/> it has no effect.</summary>
    public EtwEventFilter? StackFilter { get; init; }

    /// <summary>Events to record among those that pass keywords and level; null for all.</summary>
    public EtwEventFilter? EventFilter { get; init; }

    /// <summary>
    /// True for an EventSource of managed code: its GUID derives from its name, and it writes its manifest into the trace.
    /// </summary>
    public bool IsEventSource { get; init; }

    /// <summary>The keywords in hexadecimal, such as <c>0x1C011</c>.</summary>
    public string KeywordText => $"0x{Keywords:X}";
}
