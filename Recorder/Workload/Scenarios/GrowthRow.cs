namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>What a number of objects took.</summary>
/// <param name="Variant">Which serializer, with which switch.</param>
/// <param name="Operation">Serialize or Deserialize.</param>
/// <param name="Objects">Objects in the graph.</param>
/// <param name="Milliseconds">Median time of a run.</param>
/// <param name="CpuMilliseconds">Median CPU time of its thread, which a busy machine changes less; null where the system does not tell.</param>
public sealed record GrowthRow(string Variant, string Operation, int Objects, double Milliseconds, double? CpuMilliseconds)
{
    /// <summary>What growth is judged by: CPU time where it is known, else time.</summary>
    public double Work => CpuMilliseconds is > 0 and var cpu ? cpu : Milliseconds;

    /// <summary>Time of one object in µs.</summary>
    public double MicrosecondsPerObject => Milliseconds * 1000 / Objects;
}
