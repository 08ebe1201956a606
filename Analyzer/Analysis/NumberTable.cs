using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Analysis;

/// <summary>Things by number, in the order in which they were first asked for: events and stacks hold numbers instead of them.</summary>
/// <typeparam name="T">What is numbered; equal ones have one number.</typeparam>
public sealed class NumberTable<T>
    where T : notnull
{
    private readonly Dictionary<T, int> _numbers = [];
    private readonly List<T> _items = [];

    /// <summary>All of them, by number.</summary>
    public IReadOnlyList<T> Items => _items;

    /// <summary>How many there are.</summary>
    public int Count => _items.Count;

    /// <summary>What a number stands for.</summary>
    public T this[int number] => _items[number];

    /// <summary>Whether an item has a number.</summary>
    public bool Contains(T item) => _numbers.ContainsKey(item);

    /// <summary>The number of an item, the next one when it is new.</summary>
    public int NumberOf(T item)
    {
        ref var number = ref CollectionsMarshal.GetValueRefOrAddDefault(_numbers, item, out var known);
        if (!known)
        {
            number = _items.Count;
            _items.Add(item);
        }

        return number;
    }
}
