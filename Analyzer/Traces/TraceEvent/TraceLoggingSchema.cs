using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>The self-description of a TraceLogging event: names and types of its fields.</summary>
/// <param name="Id">Event id assigned to it.</param>
/// <param name="Opcode">Its opcode.</param>
/// <param name="ProviderName">Name of its provider; empty when the event does not have it.</param>
/// <param name="EventName">Its name.</param>
/// <param name="Fields">Its fields up to the first unreadable one.</param>
/// <remarks>
/// Format (TraceLoggingProvider.h of the Windows SDK): 16 bits of size, tag bytes (all but the last have bit 7 set), the event's name in
/// UTF-8 with a zero, then the fields: name with a zero; type (bits 0–4), array (bits 5 and 6), bit 7: a byte follows with the display
/// format, whose bit 7 means that tag bytes follow; 16 bits of count for arrays of constant length. For a structure the display format is
/// the number of members.
/// </remarks>
internal sealed record TraceLoggingSchema(
    ushort Id,
    byte Opcode,
    string ProviderName,
    string EventName,
    IReadOnlyList<TraceLoggingField> Fields
)
{
    private const int DeepestStructure = 16;

    /// <summary>Reads the two items of an event.</summary>
    public static TraceLoggingSchema Read(ushort id, byte opcode, ReadOnlySpan<byte> schema, ReadOnlySpan<byte> traits)
    {
        var rest = Sized(schema);
        var name = "";
        var fields = new List<TraceLoggingField>();
        if (TrySkipTags(ref rest) && TryText(ref rest, out name))
        {
            while (rest.Length > 0 && TryField(ref rest, 0) is { } field)
                fields.Add(field);
        }

        var provider = Sized(traits);
        TryText(ref provider, out var providerName);
        return new TraceLoggingSchema(id, opcode, providerName, name, fields);
    }

    private static TraceLoggingField? TryField(ref ReadOnlySpan<byte> rest, int depth)
    {
        if (depth > DeepestStructure || !TryText(ref rest, out var name) || !TryByte(ref rest, out var type))
            return null;
        byte form = 0;
        if ((type & 0x80) != 0)
        {
            if (!TryByte(ref rest, out form))
                return null;
            if ((form & 0x80) != 0 && !TrySkipTags(ref rest))
                return null;
        }

        var array = (TraceLoggingArray)(type & 0x60);
        ushort count = 1;
        if (array == TraceLoggingArray.Constant)
        {
            if (rest.Length < 2)
                return null;
            count = BinaryPrimitives.ReadUInt16LittleEndian(rest);
            rest = rest[2..];
        }
        else if (array is not (TraceLoggingArray.None or TraceLoggingArray.Counted))
        {
            return null; // custom serialization: the start of the next field is unknown
        }

        type &= 0x1F;
        form &= 0x7F;
        if (type != TraceLoggingField.Structure)
            return new TraceLoggingField(name, type, form, array, count, []);
        var members = new List<TraceLoggingField>();
        for (var i = 0; i < form; i++)
        {
            if (TryField(ref rest, depth + 1) is not { } member)
                return null;
            members.Add(member);
        }

        return new TraceLoggingField(name, type, 0, array, count, members);
    }

    /// <summary>The content after the size.</summary>
    private static ReadOnlySpan<byte> Sized(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < 2)
            return default;
        return bytes[2..Math.Clamp(BinaryPrimitives.ReadUInt16LittleEndian(bytes), (ushort)2, (ushort)bytes.Length)];
    }

    private static bool TrySkipTags(ref ReadOnlySpan<byte> rest)
    {
        while (TryByte(ref rest, out var tag))
        {
            if ((tag & 0x80) == 0)
                return true;
        }

        return false;
    }

    private static bool TryByte(ref ReadOnlySpan<byte> rest, out byte value)
    {
        value = 0;
        if (rest.IsEmpty)
            return false;
        value = rest[0];
        rest = rest[1..];
        return true;
    }

    private static bool TryText(ref ReadOnlySpan<byte> rest, out string text)
    {
        var end = rest.IndexOf((byte)0);
        text = end < 0 ? "" : Encoding.UTF8.GetString(rest[..end]);
        if (end >= 0)
            rest = rest[(end + 1)..];
        return end >= 0;
    }
}

/// <summary>A field of a TraceLogging event.</summary>
/// <param name="Name">Its name.</param>
/// <param name="InType">How it is stored: TDH_INTYPE of tdh.h.</param>
/// <param name="OutType">How it is shown: TlgOut_t of TraceLoggingProvider.h, 0 for the usual.</param>
/// <param name="Array">Whether it is an array.</param>
/// <param name="Count">Length of an array of constant length.</param>
/// <param name="Members">The fields of a structure.</param>
internal sealed record TraceLoggingField(
    string Name,
    byte InType,
    byte OutType,
    TraceLoggingArray Array,
    ushort Count,
    IReadOnlyList<TraceLoggingField> Members
)
{
    /// <summary>TDH_INTYPE_BINARY: bytes after their 16-bit count.</summary>
    public const byte Binary = 14;

    /// <summary>TlgInSTRUCT: the fields that follow are its members.</summary>
    public const byte Structure = 24;

    /// <summary>Whether the field is a structure.</summary>
    public bool IsStructure => InType == Structure;
}

/// <summary>Multiplicity of a TraceLogging field; bits 5 and 6 of its type.</summary>
internal enum TraceLoggingArray : byte
{
    /// <summary>Once.</summary>
    None = 0,

    /// <summary>As many as the description specifies.</summary>
    Constant = 0x20,

    /// <summary>As many as the 16 bits before the values specify.</summary>
    Counted = 0x40,
}
