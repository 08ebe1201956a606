using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.Marks;

/// <summary>
/// A fixed piece of work whose time shows the current speed of the machine. Readings immediately before and after a run distinguish a run
/// on a slow machine from a run with more work.
/// </summary>
/// <remarks>
/// A guest that shares a core with another one (or a core that clocks down) needs up to twice the time for the same work, while CPU time
/// equals wall time and no thread waits. No counter or event inside the guest shows this; only work of a known size does. The piece is
/// arithmetic, loads from the first two caches (48 KB) and a branch that depends on the data, so that a busy sibling slows it down as much
/// as it slows serializers down. It takes about 50 µs with optimized .NET code. The minimum of three pieces counts, so that an interrupt or
/// a context switch in one of them, or cold caches in the first, do not look like a slow machine. It allocates nothing and is compiled at
/// the highest tier at once, so a reading does not depend on what the program did before. Readings of different runtimes are not
/// comparable, because their code differs.
/// </remarks>
public static class SpeedProbe
{
    /// <summary>Value of a probe that was not read.</summary>
    public const long NotRead = -1;

    /// <summary>
    /// The machine counts as slow when a reading exceeds the fastest one of the process by this factor. Of 978 readings around the suite's
    /// runs on a virtual machine, 70 % were within 1.15 times the fastest, 22 % (its slow phases) above 1.35, and 8 % between, so any limit
    /// in the gap separates the two. Readings within 1.15 do not justify repeating a run: after a wait, a processor takes about 1 ms to
    /// reach its full speed.
    /// </summary>
    public const double SlowFactor = 1.25;

    /// <summary>Number of pieces in a reading; the fastest one counts.</summary>
    private const int Pieces = 3;

    /// <summary>Passes over the words in one piece; about 50 µs in total.</summary>
    private const int Passes = 16;

    /// <summary>Number of words (32 KB) and of places (16 KB).</summary>
    private const int Length = 4096;

#if NET
    /// <summary>Compiled once with all optimizations, so that neither tiers nor precompiled code change a reading.</summary>
    private const MethodImplOptions Compiled = MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining;
#else
    /// <summary>.NET Framework and Mono have only one tier.</summary>
    private const MethodImplOptions Compiled = MethodImplOptions.NoInlining;
#endif

    /// <summary>The words to hash.</summary>
    private static readonly ulong[] s_words = MakeWords();

    /// <summary>The next place for each place.</summary>
    private static readonly int[] s_places = MakePlaces();

    /// <summary>Receives the results, so that the compiler cannot remove the work.</summary>
    private static ulong s_result;

    /// <summary>Measures how long a piece of work takes now: ns, minimum of three, with the resolution of <see cref="Stopwatch"/>.</summary>
    [MethodImpl(Compiled)]
    public static long Nanoseconds()
    {
        var min = long.MaxValue;
        for (var piece = 0; piece < Pieces; piece++)
        {
            var start = Stopwatch.GetTimestamp();
            Volatile.Write(ref s_result, Work(s_words, s_places));
            min = Math.Min(min, Stopwatch.GetTimestamp() - start);
        }

        return min * 1_000_000_000 / Stopwatch.Frequency; // 64 bits hold 9 s at 1 GHz
    }

    /// <summary>Compiles the probe and loads its memory; otherwise the first reading would differ from all others.</summary>
    public static void WarmUp() => Nanoseconds();

    /// <summary>Four independent chains of arithmetic, one chain of loads, and a branch that is taken once in eight times.</summary>
    [MethodImpl(Compiled)]
    private static ulong Work(ulong[] words, int[] places)
    {
        ulong a = 1,
            b = 2,
            c = 3,
            d = 4,
            taken = 0;
        var place = 0;
        for (var pass = 0; pass < Passes; pass++)
        {
            for (var index = 0; index <= words.Length - 4; index += 4)
            {
                a = (a ^ words[index]) * 0x9E3779B97F4A7C15;
                b = (b ^ words[index + 1]) * 0xBF58476D1CE4E5B9;
                c = (c ^ words[index + 2]) * 0x94D049BB133111EB;
                d = (d ^ words[index + 3]) * 0xD6E8FEB86659FD93;
                place = places[(place + (int)(a >> 52)) & (Length - 1)];
                if ((place & 7) == 0)
                    taken += d ^ (b >> 7) ^ words[place];
            }
        }

        return a ^ b ^ c ^ d ^ taken;
    }

    private static ulong[] MakeWords()
    {
        var words = new ulong[Length];
        var word = 0x9E3779B97F4A7C15UL;
        for (var index = 0; index < Length; index++)
            words[index] = word = (word ^ (word >> 29)) * 0xBF58476D1CE4E5B9;
        return words;
    }

    /// <summary>A permutation of all places: an odd factor permutes the numbers below a power of two.</summary>
    private static int[] MakePlaces()
    {
        var places = new int[Length];
        for (var index = 0; index < Length; index++)
            places[index] = ((index * 2_654_435) + 1_013) & (Length - 1);
        return places;
    }
}
