namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>A provider of a user session: what of it is recorded.</summary>
/// <param name="Name">Its name, for example <c>Microsoft-Windows-DotNETRuntime</c>.</param>
/// <param name="Id">Its GUID.</param>
/// <param name="Keywords">Keywords, any of which an event must have (MatchAnyKeyword).</param>
/// <param name="Level">Highest level that is recorded.</param>
/// <param name="Purpose">What it is for, a few words.</param>
public sealed record EtwProvider(string Name, Guid Id, ulong Keywords, EtwLevel Level, string Purpose)
{
    /// <summary>Whether events carry the stack of their thread; with a <see cref="StackFilter"/> only those that it lets through.</summary>
    public bool Stacks { get; init; }

    /// <summary>What a tool does that knows no stack filter: takes the stacks of all of the provider's events in this session (true), or none (false). It says so either way.</summary>
    public bool StacksWithoutFilter { get; init; }

    /// <summary>Which events carry a stack; null for all. Means nothing without <see cref="Stacks"/>.</summary>
    public EtwEventFilter? StackFilter { get; init; }

    /// <summary>Which events are recorded of those that keywords and level let through; null for all.</summary>
    public EtwEventFilter? EventFilter { get; init; }

    /// <summary>True for an EventSource of managed code: its GUID follows from its name, and it writes its manifest into the trace.</summary>
    public bool IsEventSource { get; init; }

    /// <summary>The keywords in hexadecimal, <c>0x1C011</c>.</summary>
    public string KeywordText => $"0x{Keywords:X}";
}
