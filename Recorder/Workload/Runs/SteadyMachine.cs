using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Waits for a machine that runs at its full speed, and tells runs that it did not make at it.</summary>
/// <param name="probe">Reads the speed: <see cref="SpeedProbe.Nanoseconds"/>.</param>
/// <param name="wait">Waits.</param>
/// <param name="remembered">How fast the probe was in processes before, in ns; null when nothing is known of them.</param>
public sealed class SteadyMachine(Func<long> probe, Action<TimeSpan> wait, long? remembered = null)
{
    /// <summary>Between two looks at a slow machine: its slow phases last from seconds to tens of seconds.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);

    /// <summary>Most looks before a run: 2 s. After that it is made all the same.</summary>
    public const int MostLooks = 40;

    /// <summary>Waits in a row without one fast look after which what is remembered is given up: 60 s, longer than any slow phase that was seen.</summary>
    public const int MostVainWaits = 1_200;

    /// <summary>
    /// Readings of a look, until one of them is fast: some 2 ms. Behind a wait a processor takes about 1 ms to come to its full speed (the first reading behind 50 ms is a third slower
    /// in the median), which is no slow phase.
    /// </summary>
    private const int ReadingsOfLook = 12;

    /// <summary>Fewest readings that <see cref="Typical"/> needs.</summary>
    private const int FewestReadings = 40;

    /// <summary>All readings so far.</summary>
    private readonly List<long> _readings = [];

    /// <summary>Fastest reading of this process so far.</summary>
    private long _ownBest = long.MaxValue;

    /// <summary>What readings are compared with.</summary>
    private long _best = remembered ?? long.MaxValue;

    /// <summary>Waits since the last fast look.</summary>
    private int _vainWaits;

    /// <summary>
    /// What to remember for the processes to come, in ns: the reading that one in twenty is faster than, as the very fastest of thousands is a speed that the machine hardly ever
    /// has. Null after too few readings.
    /// </summary>
    public long? Typical
    {
        get
        {
            if (_readings.Count < FewestReadings)
                return null;
            var fast = _readings.Order().ElementAt(_readings.Count / 20);
            return remembered < fast ? remembered : fast;
        }
    }

    /// <summary>Waits until the machine is as fast as it has been, or 2 s.</summary>
    /// <returns>Whether it is.</returns>
    public bool WaitUntilSteady()
    {
        for (var look = 1; look <= MostLooks; look++)
        {
            if (IsFast())
            {
                _vainWaits = 0;
                return true;
            }

            wait(Pause);
            if (++_vainWaits != MostVainWaits)
                continue;
            remembered = null;
            _best = _ownBest;
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
        if (nanoseconds <= 0)
            return;
        _readings.Add(nanoseconds);
        _ownBest = Math.Min(_ownBest, nanoseconds);
        _best = Math.Min(_best, nanoseconds);
    }

    private bool IsSlow(long nanoseconds) => nanoseconds > _best * SpeedProbe.SlowFactor;
}
