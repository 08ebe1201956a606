using EtwSerializerProfiler.Sessions.EventPipe;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Which allocation events are recorded; values of <c>--alloc</c>.</summary>
internal enum AllocationChoice
{
    /// <summary>Sampled for a program of the user's own; none for the built-in suite, whose marks carry exact totals.</summary>
    Auto = 0,

    /// <summary><see cref="AllocationEvents.None"/>.</summary>
    None = 1,

    /// <summary><see cref="AllocationEvents.Sampled"/>.</summary>
    Sampled = 2,

    /// <summary><see cref="AllocationEvents.Ticks"/>.</summary>
    Ticks = 3,
}

/// <summary>Translates a choice into events.</summary>
internal static class AllocationChoices
{
    /// <summary>The events that a choice stands for.</summary>
    /// <param name="choice">The choice.</param>
    /// <param name="isOwnProgram">Whether the recorded program is something else than the built-in suite.</param>
    public static AllocationEvents Resolve(this AllocationChoice choice, bool isOwnProgram) =>
        choice switch
        {
            AllocationChoice.Sampled => AllocationEvents.Sampled,
            AllocationChoice.Ticks => AllocationEvents.Ticks,
            AllocationChoice.Auto when isOwnProgram => AllocationEvents.Sampled,
            _ => AllocationEvents.None,
        };
}
