using System.Runtime.InteropServices;
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

    /// <summary>Share of a run's time without a processor from which on it was disturbed.</summary>
    public const double LargestGap = 0.05;

    /// <summary>What is shorter is no turn of another thread, but the reading of clocks.</summary>
    public const double LeastGapNanoseconds = 20_000;

    /// <summary>The thread's CPU clock of Windows advances by ticks of 15.6 ms.</summary>
    private static readonly bool s_hasExactCpuClock = !RuntimeInformation.IsOSPlatform(OSPlatform.Windows);

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
    /// <param name="truth">What the process knows of the run.</param>
    /// <param name="threads">Threads that made it.</param>
    /// <returns>
    /// Whether the machine was slow before or after the run, or its only thread had no processor for more than a twentieth of it; false of what the run does not tell. A run that waits by
    /// itself looks the same: it is made as often as is allowed, and counts then.
    /// </returns>
    public bool IsSlow(in RunTruth truth, int threads = 1)
    {
        Note(truth.ProbeBeforeNanoseconds);
        Note(truth.ProbeAfterNanoseconds);
        return IsSlow(Math.Max(truth.ProbeBeforeNanoseconds, truth.ProbeAfterNanoseconds)) || (threads == 1 && WasKeptWaiting(truth));
    }

    private static bool WasKeptWaiting(in RunTruth truth)
    {
        if (!s_hasExactCpuClock || truth.ThreadCpuNanoseconds <= 0 || truth.TicksPerSecond <= 0)
            return false;
        var wall = (truth.StopTicks - truth.StartTicks) * 1e9 / truth.TicksPerSecond;
        return wall - truth.ThreadCpuNanoseconds > Math.Max(LargestGap * wall, LeastGapNanoseconds);
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
