namespace EtwSerializerProfiler.Reports.Tests.Regions;

/// <summary>A region that was found in a trace.</summary>
/// <param name="Region">Name of its definition.</param>
/// <param name="Name">Its own name, by a field.</param>
/// <param name="Start">First event.</param>
/// <param name="Stop">Last event.</param>
internal sealed record RegionInstance(string Region, string Name, RegionEvent Start, RegionEvent Stop)
{
    /// <summary>Begin in µs, rounded.</summary>
    public long StartUs => (long)Math.Round(Start.TimeMs * 1000);

    /// <summary>End in µs, rounded.</summary>
    public long StopUs => (long)Math.Round(Stop.TimeMs * 1000);

    /// <summary>The region of the parent's definition that it lies in; null when the definition has none or none fits.</summary>
    public RegionInstance? Parent { get; set; }
}
