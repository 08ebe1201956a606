using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Shuffles by a seed, identically on every runtime; <see cref="Random"/> does not guarantee this between versions.</summary>
/// <param name="seed">The seed; <see cref="SuiteOptions.NoSeed"/> shuffles nothing.</param>
public sealed class SeededOrder(int seed)
{
    private ulong _state = (ulong)seed;

    /// <summary>The items in the seed's next order; all orders are equally likely.</summary>
    public IReadOnlyList<T> Shuffle<T>(IReadOnlyList<T> items)
    {
        ArgumentNullException.ThrowIfNull(items);
        if (seed == SuiteOptions.NoSeed)
            return items;
        var shuffled = items.ToArray();
        for (var left = shuffled.Length; left > 1; left--)
        {
            var chosen = (int)(Next() % (ulong)left);
            (shuffled[left - 1], shuffled[chosen]) = (shuffled[chosen], shuffled[left - 1]);
        }

        return shuffled;
    }

    /// <summary>SplitMix64 (Steele, Lea and Flood, 2014): the state advances by an odd constant, and a mix of it is the number.</summary>
    private ulong Next()
    {
        var mixed = _state += 0x9E3779B97F4A7C15;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        return mixed ^ (mixed >> 31);
    }
}
