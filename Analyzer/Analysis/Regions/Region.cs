using System.Security.Cryptography;
using System.Text;

namespace EtwSerializerProfiler.Analysis.Regions;

/// <summary>
/// A region of interest: time spans of a trace that the Windows Performance Analyzer (WPA) finds by their first and last events.
/// </summary>
/// <param name="Name">
/// Name, unique in the file, prefixed by its parents' names as WPA's documentation suggests: <c>Root-Parent-Region</c>. The GUID derives
/// from it.
/// </param>
/// <param name="FriendlyName">Displayed name.</param>
/// <param name="Children">Regions inside it.</param>
public sealed record Region(string Name, string FriendlyName, IReadOnlyList<Region> Children)
{
    /// <summary>GUID of the region, the same in every written file.</summary>
    public Guid Id => RegionGuid.Of(Name);

    /// <summary>Event that begins it; null for a container, which lasts from its first child's start to its last child's stop.</summary>
    public RegionPoint? Start { get; init; }

    /// <summary>Event that ends it; null for a container.</summary>
    public RegionPoint? Stop { get; init; }

    /// <summary>What start and stop have in common; null for a container.</summary>
    public RegionLink? Match { get; init; }

    /// <summary>What a region has in common with its enclosing parent region; null when the parent is a container.</summary>
    public RegionLink? ParentMatch { get; init; }

    /// <summary>
    /// Field of the first or last event that names an instance; empty for none. WPA uses one field and cannot join several.
    /// </summary>
    public string NameField { get; init; } = "";

    /// <summary>Creates a region that only contains others.</summary>
    public static Region Container(string name, string friendlyName, params IReadOnlyList<Region> children) =>
        new(name, friendlyName, children);
}

/// <summary>An event that begins or ends a region.</summary>
/// <param name="Provider">Its provider.</param>
/// <param name="EventId">Its id.</param>
/// <param name="Version">Version of its layout; other versions are other events.</param>
/// <param name="Conditions">Required values of its fields; all must match.</param>
public sealed record RegionPoint(Guid Provider, int EventId, int Version, params IReadOnlyList<RegionCondition> Conditions);

/// <summary>A required value of an event's field.</summary>
/// <param name="Field">Name of the field, case-sensitive.</param>
/// <param name="Value">Its whole value as text.</param>
/// <param name="IsExcluded">Whether the value must not match.</param>
public sealed record RegionCondition(string Field, string Value, bool IsExcluded = false);

/// <summary>What two events, or a region and its parent, have in common.</summary>
/// <param name="SameProcess">The process.</param>
/// <param name="SameThread">The thread.</param>
/// <param name="Field">Name of a field with the same value; empty for none.</param>
public sealed record RegionLink(bool SameProcess, bool SameThread, string Field = "");

/// <summary>
/// Creates GUIDs from names, so that a region has the same GUID in every file (RFC 9562, version 8: SHA-256 of a namespace and the name).
/// </summary>
public static class RegionGuid
{
    private static readonly Guid s_namespace = new("5b0e1f3c-6a0d-4f6e-9a52-0f1d6f3a7c41");

    /// <summary>The GUID of a name.</summary>
    public static Guid Of(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        var hash = SHA256.HashData([.. s_namespace.ToByteArray(bigEndian: true), .. Encoding.UTF8.GetBytes(name)]);
        var bytes = hash.AsSpan(0, 16);
        bytes[6] = (byte)((bytes[6] & 0x0F) | 0x80); // version 8
        bytes[8] = (byte)((bytes[8] & 0x3F) | 0x80); // variant of RFC 9562
        return new Guid(bytes, bigEndian: true);
    }
}
