namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>What reading took while a number of objects lived.</summary>
/// <param name="SurvivorMegabytes">Memory of the objects that lived.</param>
/// <param name="Milliseconds">Median time of a run.</param>
/// <param name="Gen0">Generation-0 collections of all runs.</param>
/// <param name="Gen1">Generation-1 collections of all runs.</param>
/// <param name="Gen2">Generation-2 collections of all runs.</param>
/// <param name="PauseMilliseconds">Pauses of all runs; null where the runtime does not tell.</param>
/// <param name="LongestGen1">Longest pause of a generation-1 collection that was seen, in ms; null where the runtime does not tell or none was seen.</param>
/// <param name="Seen">Collections whose pause was seen, of those that there were.</param>
public sealed record CollectionRow(int SurvivorMegabytes, double Milliseconds, int Gen0, int Gen1, int Gen2, double? PauseMilliseconds, double? LongestGen1, int Seen)
{
    /// <summary>Collections of all runs.</summary>
    public int Collections => Gen0 + Gen1 + Gen2;
}
