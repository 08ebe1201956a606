using System.Runtime.InteropServices;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Waits for a machine that runs at its full speed, and tells runs that it did not make at it.</summary>
/// <param name="probe">Reads the speed: <see cref="SpeedProbe.Nanoseconds"/>.</param>
/// <param name="wait">Waits.</param>
public sealed class SteadyMachine(Func<long> probe, Action<TimeSpan> wait)
{
    /// <summary>Between two looks at a slow machine: its slow phases last from seconds to tens of seconds.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);

    /// <summary>Most looks before a run: 2 s. After that it is made all the same.</summary>
    public const int MostLooks = 40;

    /// <summary>
    /// Readings of a look, until one of them is fast: some 2 ms. Behind a wait a processor takes about 1 ms to come to its full speed (the first reading behind 50 ms is a third slower
    /// in the median), which is no slow phase.
    /// </summary>
    private const int ReadingsOfLook = 12;

    /// <summary>Share of a run's time without a processor from which on it was disturbed.</summary>
    private const double LargestGap = 0.05;

    /// <summary>The thread's CPU clock of Windows advances by ticks of 15.6 ms.</summary>
    private static readonly bool s_hasExactCpuClock = !RuntimeInformation.IsOSPlatform(OSPlatform.Windows);

    /// <summary>Fastest reading so far.</summary>
    private long _best = long.MaxValue;

    /// <summary>The machine of this process.</summary>
    public static SteadyMachine OfThisProcess() => new(SpeedProbe.Nanoseconds, Thread.Sleep);

    /// <summary>Waits until the machine is as fast as it has been in this process, or 2 s.</summary>
    /// <returns>Whether it is.</returns>
    public bool WaitUntilSteady()
    {
        for (var look = 1; look <= MostLooks; look++)
        {
            if (IsFast())
                return true;
            wait(Pause);
        }

        return IsFast();
    }

    /// <summary>Takes notice of a run's probes.</summary>
    /// <param name="truth">What the process knows of the run.</param>
    /// <param name="threads">Threads that made it.</param>
    /// <returns>
    /// Whether the machine was slow before or after the run, or its only thread had no processor for more than a twentieth of it; false of what the run does not tell. A run that waits by
    /// itself looks the same: it is made as often as is allowed, and counts then.
    /// </returns>
    public bool IsSlow(in RunTruth truth, int threads = 1)
    {
        if (threads == 1 && s_hasExactCpuClock && truth is { ThreadCpuNanoseconds: > 0, TicksPerSecond: > 0 })
        {
            var wall = (truth.StopTicks - truth.StartTicks) * 1e9 / truth.TicksPerSecond;
            if (wall - truth.ThreadCpuNanoseconds > LargestGap * wall)
            {
                Note(truth.ProbeBeforeNanoseconds);
                Note(truth.ProbeAfterNanoseconds);
                return true;
            }
        }


        Note(truth.ProbeBeforeNanoseconds);
        Note(truth.ProbeAfterNanoseconds);
        return IsSlow(Math.Max(truth.ProbeBeforeNanoseconds, truth.ProbeAfterNanoseconds));
    }

    private bool IsFast()
    {
        for (var reading = 0; reading < ReadingsOfLook; reading++)
        {
            var nanoseconds = probe();
            Note(nanoseconds);
            if (!IsSlow(nanoseconds))
                return true;
        }

        return false;
    }

    private void Note(long nanoseconds)
    {
        if (nanoseconds > 0)
            _best = Math.Min(_best, nanoseconds);
    }

    private bool IsSlow(long nanoseconds) => nanoseconds > _best * SpeedProbe.SlowFactor;
}
