namespace EtwSerializerProfiler.Sessions;

/// <summary>What a recorder's thread has over the threads of the recorded program when both want a processor.</summary>
public enum Precedence
{
    /// <summary>Nothing: it waits until each runnable thread has had its slice.</summary>
    None,

    /// <summary>Short slices: it runs soon after it wakes, but gets no more than its share of the processor.</summary>
    ShortSlices,

    /// <summary>The highest priority: it runs at once, for as long as it needs.</summary>
    HighestPriority,
}
