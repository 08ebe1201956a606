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
    /// <returns>Whether the machine was slow before or after the run; false when the run has no probes.</returns>
    public bool IsSlow(in RunTruth truth)
    {
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
