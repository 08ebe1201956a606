using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>What one run took, for the console and the CSV of series.</summary>
/// <param name="Milliseconds">Time between the clock's start and stop.</param>
/// <param name="DataBytes">Size of the serialized data.</param>
/// <param name="AllocatedBytes">Bytes allocated by all threads, -1 where the runtime does not tell.</param>
/// <param name="Gen0">Collections of generation 0.</param>
/// <param name="Gen1">Collections of generation 1.</param>
/// <param name="Gen2">Collections of generation 2.</param>
public readonly record struct RunTime(double Milliseconds, long DataBytes, long AllocatedBytes, int Gen0, int Gen1, int Gen2)
{
    /// <summary>Whether the machine was slow around the run, so that it does not count; false when nobody watched it.</summary>
    public bool IsSlow { get; init; }

    /// <summary>What a run took.</summary>
    public static RunTime Of(in RunTruth truth) => new(
        (truth.StopTicks - truth.StartTicks) * 1000.0 / truth.TicksPerSecond, truth.DataBytes, truth.AllocatedBytes, truth.Gen0, truth.Gen1, truth.Gen2);
}
