using System.Security.Cryptography;
using System.Text;

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

/// <summary>An event that begins or ends a region.</summary>
/// <param name="Provider">Its provider.</param>
/// <param name="EventId">Its id.</param>
/// <param name="Version">Version of its layout; other versions are other events.</param>
/// <param name="Conditions">What its fields have to hold; all of them.</param>
public sealed record RegionPoint(Guid Provider, int EventId, int Version, params IReadOnlyList<RegionCondition> Conditions);

/// <summary>What a field of an event has to hold.</summary>
/// <param name="Field">Name of the field; upper and lower case differ.</param>
/// <param name="Value">Its whole value as text.</param>
/// <param name="IsExcluded">The value must not be in it.</param>
public sealed record RegionCondition(string Field, string Value, bool IsExcluded = false);

/// <summary>What two events, or a region and its parent, have in common.</summary>
/// <param name="SameProcess">The process.</param>
/// <param name="SameThread">The thread.</param>
/// <param name="Field">A field of this name with the same value; empty for none.</param>
public sealed record RegionLink(bool SameProcess, bool SameThread, string Field = "");

/// <summary>GUIDs made from names, so that a region has the same one in every file it is written to (RFC 9562, version 8: SHA-256 of a namespace and the name).</summary>
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
