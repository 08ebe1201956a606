using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.Marks;

/// <summary>
/// A fixed piece of work whose time says how fast the machine is at this moment. Read right before and right after a run it tells a run that the machine slowed
/// down from one that did more work.
/// </summary>
/// <remarks>
/// A guest that shares a core with another one (or a core that clocks down) does the same work in up to twice the time, while CPU time equals wall time and nobody
/// waits: no counter or event inside tells it, only work of a known size does. The piece is arithmetic, loads from the first two caches (48 KB) and a branch that
/// depends on the data, so that it suffers from a busy sibling as serializers do. It takes some 50 µs with optimized code of .NET; the least of three
/// pieces counts, so that an interrupt or a lost processor in one of them, and cold caches in the first, do not look like a slow machine. It allocates nothing and is compiled at the
/// highest tier at once, so a reading depends on nothing that the program did before. Readings of different runtimes are not comparable: the code is another.
/// </remarks>
public static class SpeedProbe
{
    /// <summary>What a probe that was not made reads.</summary>
    public const long NotRead = -1;

    /// <summary>
    /// A reading of more than this times the fastest one of the process says that the machine is slow. Of 978 readings around the suite's runs on a virtual machine, 70 % lay within 1.15
    /// times the fastest, 22 % (its slow phases) above 1.35, 8 % between: any limit in the gap tells the two apart. What lay within 1.15 is no reason to make a run again: behind a wait
    /// a processor takes about 1 ms to come to its full speed.
    /// </summary>
    public const double SlowFactor = 1.25;

    /// <summary>Pieces of a reading, the fastest of which counts.</summary>
    private const int Pieces = 3;

    /// <summary>Passes over the words in one piece: some 50 µs together.</summary>
    private const int Passes = 16;

    /// <summary>Words and places: 32 and 16 KB.</summary>
    private const int Length = 4096;

#if NET
    /// <summary>Compiled once, with all optimizations: neither tiers nor precompiled code change a reading.</summary>
    private const MethodImplOptions Compiled = MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining;
#else
    /// <summary>.NET Framework and Mono have one tier.</summary>
    private const MethodImplOptions Compiled = MethodImplOptions.NoInlining;
#endif

    /// <summary>What is hashed.</summary>
    private static readonly ulong[] s_words = MakeWords();

    /// <summary>Places to go to from each place.</summary>
    private static readonly int[] s_places = MakePlaces();

    /// <summary>Takes the results, so that no compiler leaves the work out.</summary>
    private static ulong s_result;

    /// <summary>Time of one piece of work now, in ns, the least of three; their resolution is that of <see cref="Stopwatch"/>.</summary>
    [MethodImpl(Compiled)]
    public static long Nanoseconds()
    {
        var least = long.MaxValue;
        for (var piece = 0; piece < Pieces; piece++)
        {
            var start = Stopwatch.GetTimestamp();
            Volatile.Write(ref s_result, Work(s_words, s_places));
            least = Math.Min(least, Stopwatch.GetTimestamp() - start);
        }

        return least * 1_000_000_000 / Stopwatch.Frequency; // 64 bits hold 9 s at 1 GHz
    }

    /// <summary>Has the probe compiled and its memory in place: the first reading would be another one than all that follow.</summary>
    public static void WarmUp() => Nanoseconds();

    /// <summary>Four independent chains of arithmetic, one of loads, and a branch that is taken one time in eight.</summary>
    [MethodImpl(Compiled)]
    private static ulong Work(ulong[] words, int[] places)
    {
        ulong a = 1, b = 2, c = 3, d = 4, taken = 0;
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

    /// <summary>Every place once: an odd factor permutes the numbers below a power of two.</summary>
    private static int[] MakePlaces()
    {
        var places = new int[Length];
        for (var index = 0; index < Length; index++)
            places[index] = ((index * 2_654_435) + 1_013) & (Length - 1);
        return places;
    }
}
