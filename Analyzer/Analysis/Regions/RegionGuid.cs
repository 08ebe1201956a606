using System.Security.Cryptography;
using System.Text;

namespace EtwSerializerProfiler.Analysis.Regions;

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
