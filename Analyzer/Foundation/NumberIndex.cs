using System.Numerics;

namespace EtwSerializerProfiler.Foundation;

/// <summary>
/// Finds numbered items by a key that their owner has anyway. Only the numbers are stored: 5 to 11 bytes an item, where a dictionary takes
/// 28 and more, and analyses of many processes index hundreds of thousands of items.
/// </summary>
/// <param name="keyOf">Returns the key of the item with a number.</param>
public sealed class NumberIndex(Func<int, ulong> keyOf)
{
    /// <summary>Each slot has a number + 1; 0 when it is free. An item is in its hash slot, or in the next free one after it.</summary>
    private int[] _slots = [];

    /// <summary>Slots in use, at most three of four.</summary>
    private int _count;

    /// <summary>The number of the item with a key; -1 when there is none.</summary>
    public int Find(ulong key) => _count == 0 ? -1 : _slots[Place(_slots, key)] - 1;

    /// <summary>Adds an item. It replaces one with the same key.</summary>
    public void Set(ulong key, int number)
    {
        if (4 * _count >= 3 * _slots.Length)
            Grow();
        ref var slot = ref _slots[Place(_slots, key)];
        if (slot == 0)
            _count++;
        slot = number + 1;
    }

    /// <summary>Removes all items, and frees the memory.</summary>
    public void Clear() => (_slots, _count) = ([], 0);

    private int Place(int[] slots, ulong key)
    {
        var mask = slots.Length - 1;
        var place = (int)((key * 0x9E37_79B9_7F4A_7C15) >> (64 - BitOperations.Log2((uint)slots.Length)));
        while (slots[place] != 0 && keyOf(slots[place] - 1) != key)
            place = (place + 1) & mask;
        return place;
    }

    private void Grow()
    {
        var larger = new int[Math.Max(16, 2 * _slots.Length)];
        foreach (var slot in _slots)
        {
            if (slot != 0)
                larger[Place(larger, keyOf(slot - 1))] = slot;
        }

        _slots = larger;
    }
}
