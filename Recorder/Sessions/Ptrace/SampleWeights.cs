namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>
/// Decides how much CPU time each sample of a thread stands for. The sum over a window is exact (schedstat); only its division among the samples is an estimate.
/// </summary>
/// <remarks>
/// A thread that runs most of a window is met about once a tick, and each sample stands for what the thread used since the one before. A thread that works in bursts shorter than a tick
/// is met by chance. There the CPU time since the last sample is mostly that of bursts nobody met, and a long burst, which is met more often, would collect it: measured, that shifts
/// shares by 4 to 5 points at bursts of 100 µs. Equal weights are off by 1 to 3 points.
/// </remarks>
internal static class SampleWeights
{
    /// <summary>Weight of a sample in ns; at least 1, because readers take 0 for "not recorded".</summary>
    /// <param name="since">CPU time of the thread since its last sample.</param>
    /// <param name="inWindow">CPU time that all samples of the thread in the window stand for.</param>
    /// <param name="samples">Samples of the thread in the window.</param>
    /// <param name="window">Length of the window.</param>
    public static long Of(long since, long inWindow, int samples, long window) => Math.Max(1, inWindow * 2 < window ? inWindow / samples : since);
}
