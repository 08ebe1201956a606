namespace EtwSerializerProfiler.Analysis.Collections;

/// <summary>A stretch of time in which several processes were paused by their collections at once.</summary>
/// <param name="StartTicks">Begin in ticks of the trace's clock.</param>
/// <param name="StopTicks">End in ticks of the trace's clock.</param>
/// <param name="StartMs">Begin in ms since the trace began.</param>
/// <param name="Ms">Its length in ms.</param>
/// <param name="MostProcesses">Most processes that were paused at one moment in it.</param>
/// <param name="Processes">Processes that were paused in it.</param>
public sealed record PauseOverlap(long StartTicks, long StopTicks, double StartMs, double Ms, int MostProcesses, IReadOnlyList<int> Processes)
{
    /// <summary>Label of the recording among several, empty when there is one.</summary>
    public string Recording { get; init; } = "";
}
