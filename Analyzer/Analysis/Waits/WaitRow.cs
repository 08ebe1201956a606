using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>Waits of the measuring threads in one method.</summary>
public sealed record WaitRow
{
    /// <summary>The table's row whose runs they lie in.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Method that waits; null when no stack was recorded.</summary>
    public required MethodName? Method { get; init; }

    /// <summary>What the waits were taken from.</summary>
    public required WaitSource Source { get; init; }

    /// <summary>Waits that began in the runs.</summary>
    public required long Count { get; init; }

    /// <summary>Time waited inside the runs, in ms.</summary>
    public required double Ms { get; init; }

    /// <summary>Longest wait inside a run, in ms.</summary>
    public required double MaxMs { get; init; }
}

/// <summary>What waits were taken from.</summary>
public enum WaitSource
{
    /// <summary>The measuring thread's switch-outs up to its wakings (or switch-ins): every wait there is, also those of the runtime and the kernel.</summary>
    Switches = 0,

    /// <summary>WaitHandle events of the runtime (.NET 9 and later): waits for handles, events, tasks and monitors only.</summary>
    Events = 1,
}

/// <summary>What the waits of a row have in common.</summary>
internal readonly record struct WaitKey(int Method, WaitSource Source);

/// <summary>What is added up for one row.</summary>
internal sealed class WaitTally
{
    public long Count { get; set; }

    public long Ticks { get; set; }

    public long LongestTicks { get; set; }
}
