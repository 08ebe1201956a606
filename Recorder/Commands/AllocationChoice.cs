using System.CommandLine.Parsing;
using EtwSerializerProfiler.Sessions.EventPipe;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Which allocation events are recorded; values of <c>--alloc</c>.</summary>
internal enum AllocationChoice
{
    /// <summary>Sampled for a program of the user's own, none for the built-in suite, whose marks carry exact totals.</summary>
    Auto = 0,

    /// <summary><see cref="AllocationEvents.None"/>.</summary>
    None = 1,

    /// <summary><see cref="AllocationEvents.Sampled"/>.</summary>
    Sampled = 2,

    /// <summary><see cref="AllocationEvents.Ticks"/>.</summary>
    Ticks = 3,
}

/// <summary>Reads <see cref="AllocationChoice"/>.</summary>
internal static class AllocationChoices
{
    /// <summary>Reads the value of <c>--alloc</c>; without one the option means sampled.</summary>
    public static AllocationChoice Parse(ArgumentResult result)
    {
        if (result.Tokens.Count == 0)
            return AllocationChoice.Sampled;
        var text = result.Tokens[0].Value;
        if (text.All(char.IsAsciiLetter) && Enum.TryParse<AllocationChoice>(text, ignoreCase: true, out var choice))
            return choice;
        result.AddError($"'{text}' is none of the allocation events");
        return AllocationChoice.Auto;
    }

    /// <summary>The events that a choice stands for.</summary>
    /// <param name="choice">The choice.</param>
    /// <param name="isOwnProgram">Whether the recorded program is not the built-in suite.</param>
    public static AllocationEvents Resolve(this AllocationChoice choice, bool isOwnProgram) => choice switch
    {
        AllocationChoice.Sampled => AllocationEvents.Sampled,
        AllocationChoice.Ticks => AllocationEvents.Ticks,
        AllocationChoice.Auto when isOwnProgram => AllocationEvents.Sampled,
        _ => AllocationEvents.None,
    };
}
