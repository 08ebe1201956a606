using System.Numerics;
using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Caches answers (numbers that its owner interprets) by address, each with the interval in which it holds. An answer lies next to its
/// address, so a lookup costs one memory access when it always holds, else two. Many answers have the same interval.
/// </summary>
internal sealed class AddressCache
{
    /// <summary>The interval of answers that always hold, which is the first one.</summary>
    private const int Always = 0;

    private readonly Interner<(long From, long To)> _times = new();
    private Entry[] _entries = new Entry[1 << 8];
    private int _count;

    /// <summary>Creates an empty cache.</summary>
    public AddressCache() => _times.GetOrAdd((long.MinValue, long.MaxValue));

    /// <summary>Looks an address up.</summary>
    /// <returns>The answer; -1 when none is known for that time.</returns>
    public int Find(ulong address, long time)
    {
        ref readonly var entry = ref _entries[Place(_entries, address)];
        return entry.Times == Always || (_times[entry.Times] is var (from, to) && time >= from && time < to) ? entry.Number - 1 : -1;
    }

    /// <summary>Sets the answer for an address.</summary>
    public void Set(ulong address, int answer, long from, long to)
    {
        if (2 * _count >= _entries.Length)
            Grow();
        ref var entry = ref _entries[Place(_entries, address)];
        if (entry.Number == 0)
            _count++;
        entry = new Entry(address, answer + 1, _times.GetOrAdd((from, to)));
    }

    /// <summary>Slot of an address, or the slot for it: its hash slot or the next free one after it.</summary>
    private static int Place(Entry[] entries, ulong address)
    {
        var mask = entries.Length - 1;
        var place = (int)((address * 0x9E37_79B9_7F4A_7C15) >> (64 - BitOperations.Log2((uint)entries.Length)));
        while (entries[place].Number != 0 && entries[place].Address != address)
            place = (place + 1) & mask;
        return place;
    }

    private void Grow()
    {
        var larger = new Entry[2 * _entries.Length];
        foreach (var entry in _entries)
        {
            if (entry.Number != 0)
                larger[Place(larger, entry.Address)] = entry;
        }

        _entries = larger;
    }

    /// <summary>
    /// A slot; <paramref name="Number"/> is the answer + 1, 0 when the slot is free; <paramref name="Times"/> is the interval's number.
    /// </summary>
    private readonly record struct Entry(ulong Address, int Number, int Times);
}
