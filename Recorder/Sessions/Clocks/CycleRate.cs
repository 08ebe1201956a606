namespace EtwSerializerProfiler.Sessions.Clocks;

/// <summary>Measures how many cycles a running thread counts in a tick of a clock.</summary>
internal static class CycleRate
{
    private const int Spins = 20;

    /// <summary>
    /// Spins several times on the calling thread and takes the highest rate: while the thread lacks a processor, its cycles stand
    /// still and the clock advances, so no spin shows more than the true rate.
    /// </summary>
    /// <param name="cycles">Reads the cycles of the calling thread.</param>
    /// <param name="ticks">Reads the clock.</param>
    /// <param name="spinTicks">Length of a spin.</param>
    public static double Measure(Func<ulong> cycles, Func<long> ticks, long spinTicks)
    {
        var rate = 0.0;
        for (var spin = 0; spin < Spins; spin++)
        {
            // The clock is read first and last, so that an interruption between two reads cannot raise the rate.
            var start = ticks();
            var before = cycles();
            long now;
            ulong after;
            do
            {
                after = cycles();
                now = ticks();
            } while (now - start < spinTicks);
            rate = Math.Max(rate, (after - before) / (double)(now - start));
        }

        return rate;
    }
}
