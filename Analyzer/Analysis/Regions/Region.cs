namespace EtwSerializerProfiler.Analysis.Regions;

/// <summary>A region of interest: spans of a trace that the Windows Performance Analyzer (WPA) finds by their first and last events, and names.</summary>
/// <param name="Name">Name that no other region of the file has, with the names above it as WPA's documentation suggests: <c>Root-Parent-Region</c>. Its GUID is made from it.</param>
/// <param name="FriendlyName">What people read.</param>
/// <param name="Children">Regions inside it.</param>
public sealed record Region(string Name, string FriendlyName, IReadOnlyList<Region> Children)
{
    /// <summary>GUID of the region, the same whenever the file is written.</summary>
    public Guid Id => RegionGuid.Of(Name);

    /// <summary>Event that begins it; null for a container, which lasts from its first child's begin to its last child's end.</summary>
    public RegionPoint? Start { get; init; }

    /// <summary>Event that ends it; null for a container.</summary>
    public RegionPoint? Stop { get; init; }

    /// <summary>What begin and end have in common; null for a container.</summary>
    public RegionLink? Match { get; init; }

    /// <summary>What a region has in common with the one of its parent's that it lies in; null when the parent is a container.</summary>
    public RegionLink? ParentMatch { get; init; }

    /// <summary>Field of the first or last event that names an instance; empty for none. WPA takes one field and cannot join several.</summary>
    public string NameField { get; init; } = "";

    /// <summary>A region that only holds others.</summary>
    public static Region Container(string name, string friendlyName, params IReadOnlyList<Region> children) => new(name, friendlyName, children);
}
