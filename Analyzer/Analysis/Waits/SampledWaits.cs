namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>
/// The last waits of a thread that had a stack, for those whose stack was omitted. In the windows with stacks every wait that begins has
/// one, however long it is, so these waits are a fair sample. A wait without a stack counts as the one whose length is nearest: a thread
/// that alternately waits 10 us for a lock and 10 ms for work would otherwise give half of its idle time to the lock.
/// </summary>
/// <typeparam name="T">Where a thread waited.</typeparam>
internal sealed class SampledWaits<T>
{
    private const int Kept = 32;

    private readonly (double Length, T Place)[] _waits = new (double, T)[Kept];
    private int _count;

    /// <summary>Adds a wait with a stack.</summary>
    /// <param name="ticks">Its length.</param>
    /// <param name="place">Where the thread waited.</param>
    /// <returns>The place of the wait that is no longer kept; the default when there is none.</returns>
    public T? Add(long ticks, T place)
    {
        ref var oldest = ref _waits[_count++ % Kept];
        var dropped = oldest.Place;
        oldest = (Math.Max(1, ticks), place);
        return dropped;
    }

    /// <summary>Finds where a thread waited for a length; false before its first wait with a stack.</summary>
    public bool TryFind(long ticks, [System.Diagnostics.CodeAnalysis.MaybeNullWhen(false)] out T place)
    {
        (place, var nearest) = (default, double.MaxValue);
        foreach (var (length, candidate) in _waits.AsSpan(0, Math.Min(_count, Kept)))
        {
            var ratio = Math.Max(length, ticks) / Math.Min(length, Math.Max(1, ticks));
            if (ratio < nearest)
                (nearest, place) = (ratio, candidate);
        }

        return nearest < double.MaxValue;
    }
}
