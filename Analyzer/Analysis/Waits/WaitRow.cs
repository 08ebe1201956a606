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
