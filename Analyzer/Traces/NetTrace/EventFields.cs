using System.Text;
using EtwSerializerProfiler.Traces.Clr;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>
/// Names and types of an event's fields, in the encoding of format 6: u16 count, then for each field u16 size, UTF-8 name and type. Equal
/// if the bytes are.
/// </summary>
/// <remarks>
/// Formats 4 and 5 have the type before the UTF-16 name, and a second list with names first if a field is an array. Type codes are the
/// same. Source: NetTraceFormat_v5.md of microsoft/perfview.
/// </remarks>
internal readonly struct EventFields : IEquatable<EventFields>
{
    private const int ObjectType = 1;
    private const int LastType = 19;
    private const int ArrayType = 19;
    private const int MaxNesting = 16;
    private const byte FieldsTag = 2;

    private static readonly byte[] s_none = [0, 0];
    private readonly byte[]? _bytes;

    private EventFields(byte[] bytes) => _bytes = bytes;

    /// <summary>The encoding of format 6.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes ?? s_none;

    /// <summary>The fields of a row of format 6.</summary>
    public static EventFields OfRow(ReadOnlySpan<byte> fields) =>
        fields.Length <= s_none.Length ? default : new EventFields(fields.ToArray());

    /// <summary>Fields of one type, by name.</summary>
    public static EventFields Of(params ReadOnlySpan<(string Name, byte[] Type)> fields)
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        writer.Write((ushort)fields.Length);
        foreach (var (name, type) in fields)
            WriteField(writer, name, type);
        writer.Flush();
        return new EventFields(bytes.ToArray());
    }

    /// <summary>The fields of a record in format 4 or 5, after its level. None when unreadable.</summary>
    public static EventFields OfRecord(ReadOnlySpan<byte> rest)
    {
        if (rest.IsEmpty)
            return default;
        var reader = new PayloadReader(rest);
        if (!TryTranslate(ref reader, namesFirst: false, 0, out var fields))
            return default;
        while (reader.Left > 0)
        {
            var (bytes, tag) = (reader.Int32(), reader.Byte());
            var more = new PayloadReader(reader.Bytes(bytes));
            if (tag == FieldsTag && reader.Fits && TryTranslate(ref more, namesFirst: true, 0, out var complete))
                fields = complete;
        }

        return fields.Length <= s_none.Length ? default : new EventFields(fields);
    }

    /// <inheritdoc />
    public bool Equals(EventFields other) => Bytes.SequenceEqual(other.Bytes);

    /// <inheritdoc />
    public override bool Equals(object? obj) => obj is EventFields other && Equals(other);

    /// <inheritdoc />
    public override int GetHashCode() => Bytes.Length;

    private static bool TryTranslate(ref PayloadReader reader, bool namesFirst, int depth, out byte[] fields)
    {
        fields = s_none;
        var count = reader.Int32();
        if (!reader.Fits || count < 0 || count > reader.Left || depth > MaxNesting)
            return false;
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        writer.Write((ushort)count);
        for (var i = 0; i < count; i++)
        {
            if (namesFirst)
                reader.Int32(); // size of the field
            var name = namesFirst ? reader.Text() : "";
            if (!TryTranslateType(ref reader, namesFirst, depth, out var type))
                return false;
            if (!namesFirst)
                name = reader.Text();
            if (!reader.Fits || 2 * name.Length + type.Length > ushort.MaxValue / 2)
                return false;
            WriteField(writer, name, type);
        }

        writer.Flush();
        fields = bytes.ToArray();
        return fields.Length < ushort.MaxValue / 2;
    }

    private static bool TryTranslateType(ref PayloadReader reader, bool namesFirst, int depth, out byte[] type)
    {
        type = [];
        var code = reader.Int32();
        if (!reader.Fits || code is <= 0 or > LastType || depth > MaxNesting)
            return false;
        byte[] inner = [];
        if (code == ArrayType && !TryTranslateType(ref reader, namesFirst, depth + 1, out inner))
            return false;
        if (code == ObjectType && !TryTranslate(ref reader, namesFirst, depth + 1, out inner))
            return false;
        type = [(byte)code, .. inner];
        return true;
    }

    private static void WriteField(BinaryWriter writer, string name, byte[] type)
    {
        var text = Encoding.UTF8.GetBytes(name);
        Span<byte> length = stackalloc byte[5];
        var prefix = VariableNumber.Write(length, (uint)text.Length);
        writer.Write((ushort)(prefix + text.Length + type.Length));
        writer.Write(length[..prefix]);
        writer.Write(text);
        writer.Write(type);
    }
}

/// <summary>Variable-length numbers: seven bits per byte, lowest first; the highest bit of a byte means that another one follows.</summary>
internal static class VariableNumber
{
    /// <summary>Maximum number of bytes.</summary>
    public const int MaxBytes = 10;

    /// <summary>Writes a number.</summary>
    /// <returns>Number of bytes written.</returns>
    public static int Write(Span<byte> to, ulong value)
    {
        var bytes = 0;
        for (; value > 0x7F; value >>= 7)
            to[bytes++] = (byte)(value | 0x80);
        to[bytes++] = (byte)value;
        return bytes;
    }
}
