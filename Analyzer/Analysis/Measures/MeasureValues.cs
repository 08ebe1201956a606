namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>Stored values of a run by measure. Counts are exact up to 2^53.</summary>
public readonly struct MeasureValues : IEquatable<MeasureValues>
{
    /// <summary>Values by the measures' slots; NaN, or beyond the end, when missing.</summary>
    private readonly double[]? _slots;

    private MeasureValues(double[] slots) => _slots = slots;

    /// <summary>Value of a measure; null when missing.</summary>
    public T? Of<T>(Measure<T> measure)
        where T : struct
    {
        ArgumentNullException.ThrowIfNull(measure);
        return Measure<T>.FromSlot(At(measure.Slot));
    }

    /// <summary>Returns the values with a changed measure.</summary>
    public MeasureValues With<T>(Measure<T> measure, T? value)
        where T : struct
    {
        ArgumentNullException.ThrowIfNull(measure);
        var slots = Empty(Math.Max(measure.Slot + 1, _slots?.Length ?? 0));
        _slots?.CopyTo(slots, 0);
        slots[measure.Slot] = Measure<T>.ToSlot(value);
        return new MeasureValues(slots);
    }

    /// <summary>Restores values from a store.</summary>
    /// <param name="valueOf">Reads a measure's column: null, a number, or a word.</param>
    public static MeasureValues Restore(Func<StoredMeasure, object?> valueOf)
    {
        ArgumentNullException.ThrowIfNull(valueOf);
        return Make(measure => measure.Stored is { OfRun: not null } stored ? measure.Restored(valueOf(stored)) : double.NaN);
    }

    /// <inheritdoc />
    public bool Equals(MeasureValues other)
    {
        for (var slot = Math.Max(_slots?.Length ?? 0, other._slots?.Length ?? 0) - 1; slot >= 0; slot--)
        {
            if (!At(slot).Equals(other.At(slot)))
                return false;
        }

        return true;
    }

    /// <inheritdoc />
    public override bool Equals(object? obj) => obj is MeasureValues other && Equals(other);

    /// <inheritdoc />
    public override int GetHashCode()
    {
        var hash = new HashCode();
        foreach (var value in (_slots ?? []).Where(value => !double.IsNaN(value)))
            hash.Add(value);
        return hash.ToHashCode();
    }

    /// <summary>Whether both have the same values.</summary>
    public static bool operator ==(MeasureValues left, MeasureValues right) => left.Equals(right);

    /// <summary>Whether they differ.</summary>
    public static bool operator !=(MeasureValues left, MeasureValues right) => !left.Equals(right);

    /// <summary>Collects the values of a run.</summary>
    internal static MeasureValues Collect(CollectedRun run) => Make(measure => measure.Collected(run));

    private static MeasureValues Make(Func<Measure, double> slotOf)
    {
        var kept = RunMeasures.Kept;
        var slots = Empty(kept.Max(measure => measure.Slot) + 1);
        foreach (var measure in kept)
            slots[measure.Slot] = slotOf(measure);
        return new MeasureValues(slots);
    }

    private static double[] Empty(int length)
    {
        var slots = new double[length];
        Array.Fill(slots, double.NaN);
        return slots;
    }

    private double At(int slot) => _slots is not null && slot < _slots.Length ? _slots[slot] : double.NaN;
}
