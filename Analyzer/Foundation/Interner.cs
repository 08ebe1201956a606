using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Foundation;

/// <summary>Gives each distinct item a small number, in the order in which they were added: events and stacks hold the number instead of the item.</summary>
/// <typeparam name="T">What is numbered; equal items have one number.</typeparam>
public sealed class Interner<T>
    where T : notnull
{
    private readonly Dictionary<T, int> _numbers = [];
    private readonly List<T> _items = [];

    /// <summary>All items; the index is the number.</summary>
    public IReadOnlyList<T> Items => _items;

    /// <summary>How many there are.</summary>
    public int Count => _items.Count;

    /// <summary>The item of a number.</summary>
    public T this[int number] => _items[number];

    /// <summary>Whether an item has a number.</summary>
    public bool Contains(T item) => _numbers.ContainsKey(item);

    /// <summary>The number of an item; a new item gets the next one.</summary>
    public int GetOrAdd(T item)
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
