namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>All measures of a run. Declare a new one in the group of its domain; it appears wherever its declaration says.</summary>
public static class RunMeasures
{
    /// <summary>All measures, in the order of the reports' columns.</summary>
    public static IReadOnlyList<Measure> All { get; } =
    [
        .. WallMeasures.All,
        .. GcMeasures.All,
        .. AllocationMeasures.All,
        .. JitMeasures.All,
        .. ExceptionMeasures.All,
        .. LockMeasures.All,
        CpuMeasures.OwnThread,
        .. MachineMeasures.All,
        CpuMeasures.Process,
        .. CauseMeasures.All,
        .. SchedulingMeasures.All,
        .. CpuMeasures.RuntimeThreads,
        .. SampleMeasures.All,
        .. DataMeasures.All,
        .. FootprintMeasures.All,
    ];

    /// <summary>Measures that <see cref="Runs.Run.Values"/> stores.</summary>
    internal static IReadOnlyList<Measure> Kept { get; } = [.. All.Where(measure => measure.IsKept)];
}
