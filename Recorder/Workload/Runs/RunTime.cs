using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Cost of one run for the console and the CSV of series.</summary>
/// <param name="Milliseconds">Time between start and stop of the clock.</param>
/// <param name="DataBytes">Size of the serialized data.</param>
/// <param name="AllocatedBytes">Bytes allocated by all threads; -1 when the runtime does not provide it.</param>
/// <param name="Gen0">Number of generation-0 GCs.</param>
/// <param name="Gen1">Number of generation-1 GCs.</param>
/// <param name="Gen2">Number of generation-2 GCs.</param>
public readonly record struct RunTime(double Milliseconds, long DataBytes, long AllocatedBytes, int Gen0, int Gen1, int Gen2)
{
    /// <summary>Whether the machine was slow around the run, so that it does not count; false when this was not measured.</summary>
    public bool IsSlow { get; init; }

    /// <summary>Extracts the cost of a run.</summary>
    public static RunTime Of(in RunMeasurement measurement) =>
        new(
            (measurement.StopTicks - measurement.StartTicks) * 1000.0 / measurement.TicksPerSecond,
            measurement.DataBytes,
            measurement.AllocatedBytes,
            measurement.Gen0,
            measurement.Gen1,
            measurement.Gen2
        );
}
