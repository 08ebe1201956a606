namespace EtwSerializerProfiler.Etl;

/// <summary>Time conversions that neither overflow nor throw for damaged input.</summary>
internal static class EtlTime
{
    /// <summary>FILETIME of the maximum <see cref="DateTime"/>.</summary>
    private static readonly long s_lastFileTime = DateTime.MaxValue.Ticks - DateTime.FromFileTimeUtc(0).Ticks;

    /// <summary>UTC of a FILETIME; null when out of range.</summary>
    public static DateTime? FromFileTime(long fileTime) =>
        fileTime < 0 || fileTime > s_lastFileTime ? null : DateTime.FromFileTimeUtc(fileTime);

    /// <summary>ticks × units / frequency, to the nearest bound when it does not fit.</summary>
    public static long Scale(long ticks, long unitsPerSecond, long ticksPerSecond)
    {
        if (unitsPerSecond == ticksPerSecond)
            return ticks;
        var scaled = (Int128)ticks * unitsPerSecond / ticksPerSecond;
        return scaled > long.MaxValue ? long.MaxValue
            : scaled < long.MinValue ? long.MinValue
            : (long)scaled;
    }

    /// <summary>Sum, to the nearest bound when it does not fit.</summary>
    public static long Add(long left, long right)
    {
        var sum = unchecked(left + right);
        return ((left ^ sum) & (right ^ sum)) < 0 ? (left < 0 ? long.MinValue : long.MaxValue) : sum;
    }

    /// <summary>Difference, to the nearest bound when it does not fit.</summary>
    public static long Subtract(long left, long right)
    {
        var difference = unchecked(left - right);
        return ((left ^ right) & (left ^ difference)) < 0 ? (left < 0 ? long.MinValue : long.MaxValue) : difference;
    }
}
