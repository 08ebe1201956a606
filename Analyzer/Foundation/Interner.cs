using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Foundation;

/// <summary>
/// Assigns small integers to distinct items, in the order of their addition. Events and stacks store the number instead of the item.
/// </summary>
/// <typeparam name="T">Type of the items; equal items get one number.</typeparam>
public sealed class Interner<T>
    where T : notnull
{
    private readonly Dictionary<T, int> _numbers = [];
    private readonly List<T> _items = [];

    /// <summary>All items; the index is the number.</summary>
    public IReadOnlyList<T> Items => _items;

    /// <summary>Number of items.</summary>
    public int Count => _items.Count;

    /// <summary>The item with a number.</summary>
    public T this[int number] => _items[number];

    /// <summary>The number of an item; false when it has none.</summary>
    public bool TryGet(T item, out int number) => _numbers.TryGetValue(item, out number);

    /// <summary>Returns the number of an item; a new item gets the next number.</summary>
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
