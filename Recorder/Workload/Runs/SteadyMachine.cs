using System.Runtime.InteropServices;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Waits until the machine runs at full speed, and detects runs during which it did not.</summary>
/// <param name="probe">Reads the speed: <see cref="SpeedProbe.Nanoseconds"/>.</param>
/// <param name="wait">Waits for a time.</param>
/// <param name="remembered">Speed of the probe in earlier processes in ns; null when unknown.</param>
public sealed class SteadyMachine(Func<long> probe, Action<TimeSpan> wait, long? remembered = null)
{
    /// <summary>Time between two checks of a slow machine; its slow phases last from seconds to tens of seconds.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);

    /// <summary>Maximum checks before a run: 2 s. After that the run is made anyway.</summary>
    public const int MaxChecks = 40;

    /// <summary>
    /// Number of consecutive checks without a fast reading after which the remembered speed is discarded: 60 s, longer than any slow phase
    /// that was seen.
    /// </summary>
    public const int MaxVainWaits = 1_200;

    /// <summary>
    /// Maximum readings per check, until one of them is fast: about 2 ms. After a wait a processor takes about 1 ms to reach its full speed
    /// (the first reading after 50 ms is a third slower in the median), which is not a slow phase.
    /// </summary>
    private const int ReadingsPerCheck = 12;

    /// <summary>A run is disturbed when its thread has no processor for more than this share of the run.</summary>
    public const double MaxGap = 0.05;

    /// <summary>Shorter gaps come from reading the clocks, not from another thread.</summary>
    public const double MinGapNanoseconds = 20_000;

    /// <summary>False on Windows, where the thread's CPU clock advances in ticks of 15.6 ms.</summary>
    private static readonly bool s_hasExactCpuClock = !RuntimeInformation.IsOSPlatform(OSPlatform.Windows);

    /// <summary>With fewer readings <see cref="Typical"/> is null.</summary>
    private const int MinReadings = 40;

    private readonly List<long> _readings = [];

    /// <summary>Fastest reading of this process so far.</summary>
    private long _ownBest = long.MaxValue;

    /// <summary>Fastest reading of this process or of earlier ones: the reference for "slow".</summary>
    private long _best = remembered ?? long.MaxValue;

    /// <summary>Number of waits since the last fast check.</summary>
    private int _vainWaits;

    /// <summary>
    /// Speed to remember for later processes in ns: one reading in twenty is faster, because the very fastest of thousands is a speed that
    /// the machine hardly ever has. Null after too few readings.
    /// </summary>
    public long? Typical
    {
        get
        {
            if (_readings.Count < MinReadings)
                return null;
            var fast = _readings.Order().ElementAt(_readings.Count / 20);
            return remembered < fast ? remembered : fast;
        }
    }

    /// <summary>Waits until the machine is as fast as it has been, at most 2 s.</summary>
    /// <returns>Whether it is that fast.</returns>
    public bool WaitUntilSteady()
    {
        for (var check = 1; check <= MaxChecks; check++)
        {
            if (IsFast())
            {
                _vainWaits = 0;
                return true;
            }

            wait(Pause);
            if (++_vainWaits != MaxVainWaits)
                continue;
            remembered = null;
            _best = _ownBest;
        }

        return IsFast();
    }

    /// <summary>Evaluates the probes of a run.</summary>
    /// <param name="measurement">The self-measurement of the run.</param>
    /// <param name="threads">Number of threads of the run.</param>
    /// <returns>
    /// Whether the machine was slow before or after the run, or its only thread had no processor for more than a twentieth of it; false
    /// when the run does not have this information. A run that waits looks the same: it is repeated as often as permitted, and then counts.
    /// </returns>
    public bool IsSlow(in RunMeasurement measurement, int threads = 1)
    {
        Note(measurement.ProbeBeforeNanoseconds);
        Note(measurement.ProbeAfterNanoseconds);
        return IsSlow(Math.Max(measurement.ProbeBeforeNanoseconds, measurement.ProbeAfterNanoseconds))
            || (threads == 1 && WasKeptWaiting(measurement));
    }

    private static bool WasKeptWaiting(in RunMeasurement measurement)
    {
        if (!s_hasExactCpuClock || measurement.ThreadCpuNanoseconds <= 0 || measurement.TicksPerSecond <= 0)
            return false;
        var wall = (measurement.StopTicks - measurement.StartTicks) * 1e9 / measurement.TicksPerSecond;
        return wall - measurement.ThreadCpuNanoseconds > Math.Max(MaxGap * wall, MinGapNanoseconds);
    }

    private bool IsFast()
    {
        for (var reading = 0; reading < ReadingsPerCheck; reading++)
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
