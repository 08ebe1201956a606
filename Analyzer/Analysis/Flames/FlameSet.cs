namespace EtwSerializerProfiler.Analysis.Flames;

/// <summary>Flame graphs that share their frames.</summary>
/// <param name="Frames">What frames stand for.</param>
/// <param name="Trees">The graphs, in the order of operation and serializer.</param>
/// <param name="TicksPerSecond">Ticks of the clock in one second.</param>
public sealed record FlameSet(IReadOnlyList<FlameFrame> Frames, IReadOnlyList<FlameTree> Trees, long TicksPerSecond)
{
    /// <summary>Cause of a serializer's own code.</summary>
    public const int Own = -1;

    /// <summary>Cause of paths above a serializer's entry, and beside it.</summary>
    public const int Outside = -2;

    /// <summary>A span of ticks in ms.</summary>
    public double ToMilliseconds(long ticks) => ticks * 1e3 / TicksPerSecond;
}
