using System.Collections;
using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.Foundation;

/// <summary>
/// A list that grows by pages and copies nothing. A List of large structs is copied as it grows, from arrays that only a full GC frees.
/// </summary>
/// <typeparam name="T">Type of the items.</typeparam>
public sealed class PagedList<T> : IReadOnlyList<T>
{
    /// <summary>Maximum size of a page; objects of 85,000 bytes or more are on the large object heap.</summary>
    private const int MaxPageBytes = 64 << 10;

    /// <summary>Logarithm of the number of items on a page. An item of an array has less than 64 KB.</summary>
    private static readonly int s_shift = int.Log2(MaxPageBytes / Unsafe.SizeOf<T>());

    private readonly List<T[]> _pages = [];

    /// <inheritdoc/>
    public int Count { get; private set; }

    /// <inheritdoc/>
    public T this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            return _pages[index >> s_shift][index & ((1 << s_shift) - 1)];
        }
    }

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
