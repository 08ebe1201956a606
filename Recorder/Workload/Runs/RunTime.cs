using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Time and data size of one run, for the line on the console.</summary>
/// <param name="Milliseconds">Time between the clock's start and stop.</param>
/// <param name="DataBytes">Size of the serialized data.</param>
public readonly record struct RunTime(double Milliseconds, long DataBytes)
{
    /// <summary>Time and data size of a run.</summary>
    public static RunTime Of(in RunTruth truth) => new((truth.StopTicks - truth.StartTicks) * 1000.0 / truth.TicksPerSecond, truth.DataBytes);
}
