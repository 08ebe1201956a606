using System.Collections;
using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.Foundation;

/// <summary>
/// A list that grows by pages and copies nothing. A List of large structs is copied as it grows, from arrays that only a full GC frees.
/// </summary>
/// <typeparam name="T">Type of the items.</typeparam>
public sealed class PagedList<T> : IReadOnlyList<T>
{
    /// <summary>
    /// Maximum size of a page of several items. Half of the last page is empty on average; objects of 85,000 bytes or more would be on the
    /// large object heap.
    /// </summary>
    private const int MaxPageBytes = 8 << 10;

    /// <summary>Logarithm of the number of items on a page; 0 for items that are larger than half a page.</summary>
    private static readonly int s_shift = int.Log2(MaxPageBytes / Unsafe.SizeOf<T>());

    private readonly List<T[]> _pages = [];

    /// <inheritdoc/>
    public int Count { get; private set; }

    /// <summary>An item, in place.</summary>
    public ref T this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            return ref _pages[index >> s_shift][index & ((1 << s_shift) - 1)];
        }
    }

    T IReadOnlyList<T>.this[int index] => this[index];

    /// <summary>Adds an item.</summary>
    public void Add(T item)
    {
        if (Count >> s_shift == _pages.Count)
            _pages.Add(new T[1 << s_shift]);
        _pages[Count >> s_shift][Count & ((1 << s_shift) - 1)] = item;
        Count++;
    }

    /// <inheritdoc/>
    public IEnumerator<T> GetEnumerator()
    {
        for (var index = 0; index < Count; index++)
            yield return this[index];
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
