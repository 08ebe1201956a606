namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>Decides when the next tick is. The rate is that of all threads together.</summary>
/// <remarks>
/// A stop costs the program the same whichever thread it hits, and the sampler needs a processor for it. So when n threads run at once,
/// ticks are n times as far apart: a program gets as many samples a second as the recording's rate, whether one thread runs or eight. The
/// weights stay exact because they come from the threads' clocks. With a tick for each period of each thread, eight busy threads on two
/// processors did 8 % less.
/// </remarks>
/// <param name="samplesPerSecond">The recording's rate.</param>
/// <param name="windowNanoseconds">Length of a window, after which the rate is adjusted.</param>
internal sealed class TickRate(int samplesPerSecond, long windowNanoseconds)
{
    /// <summary>Minimum number of ticks in a window: fewer would miss threads that run only for a part of it.</summary>
    private const int MinTicks = 4;

    private readonly long _shortest = 1_000_000_000 / samplesPerSecond;
    private uint _random = 2463534242;
    private int _ticks;
    private int _interruptions;

    /// <summary>Mean time in ns between two ticks.</summary>
    public long Period { get; private set; } = 1_000_000_000 / samplesPerSecond;

    /// <summary>
    /// Time in ns from one tick to the next: the period, jittered by an eighth, so that a program with a timer of the same period is not
    /// always sampled at the same place.
    /// </summary>
    public long NextPause() => Jittered(Period);

    /// <summary>Time in ns by which a tick is postponed.</summary>
    public long NextPostponement() => Jittered(_shortest / 16);

    /// <summary>Counts a tick of this window.</summary>
    public void CountTick() => _ticks++;

    /// <summary>Counts a thread that was interrupted at a tick.</summary>
    public void CountInterruption() => _interruptions++;

    /// <summary>Adjusts the period to the number of threads that ran at once.</summary>
    public void EndWindow()
    {
        if (_ticks > 0)
            Period = Math.Clamp(_shortest * _interruptions / _ticks, _shortest, Math.Max(_shortest, windowNanoseconds / MinTicks));
        (_ticks, _interruptions) = (0, 0);
    }

    private long Jittered(long period)
    {
        // xorshift32 (Marsaglia)
        _random ^= _random << 13;
        _random ^= _random >> 17;
        _random ^= _random << 5;
        return period - period / 8 + _random % Math.Max(1, period / 4);
    }
}
