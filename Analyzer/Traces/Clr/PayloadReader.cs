using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>
/// Reads the fields of an event's payload in order, never beyond its end: a short payload reads as a failure instead of neighbouring
/// memory.
/// </summary>
/// <param name="payload">The payload.</param>
internal ref struct PayloadReader(ReadOnlySpan<byte> payload)
{
    private ReadOnlySpan<byte> _rest = payload;

    /// <summary>False once a field did not fit.</summary>
    public bool Fits { get; private set; } = true;

    /// <summary>A byte, 0 when it does not fit.</summary>
    public byte Byte()
    {
        if (_rest.IsEmpty)
        {
            Fits = false;
            return 0;
        }

        var value = _rest[0];
        _rest = _rest[1..];
        return value;
    }

    /// <summary>An unsigned integer in groups of 7 bits, lowest first (LEB128); 0 when it does not fit.</summary>
    public ulong Variable() => !_rest.IsEmpty && _rest[0] < 0x80 ? Byte() : LongVariable();

    private ulong LongVariable()
    {
        const int MaxBytes = 10;
        var value = 0UL;
        var rest = _rest;
        for (var i = 0; i < rest.Length && i < MaxBytes; i++)
        {
            value |= (ulong)(rest[i] & 0x7F) << (7 * i);
            if (rest[i] >= 0x80)
                continue;
            _rest = rest[(i + 1)..];
            return value;
        }

        Fits = false;
        return 0;
    }

    /// <summary>A signed integer in the same groups, with its sign in the lowest bit (zigzag); 0 when it does not fit.</summary>
    public long SignedVariable()
    {
        var value = Variable();
        return (long)(value >> 1) ^ -(long)(value & 1);
    }

    /// <summary>A UTF-8 text after its length in bytes (LEB128), empty when it does not fit.</summary>
    public string Utf8Text() => Encoding.UTF8.GetString(Bytes((int)Math.Min(Variable(), int.MaxValue)));

    /// <summary>The bytes of a UTF-8 text after its length in bytes (u16); empty when it does not fit.</summary>
    public ReadOnlySpan<byte> SizedUtf8Text() => Bytes(UInt16());

    /// <summary>Skips a UTF-8 text after its length.</summary>
    public void SkipUtf8Text() => Bytes((int)Math.Min(Variable(), int.MaxValue));

    /// <summary>A 32-bit integer, 0 when it does not fit.</summary>
    public int Int32() => Take(4, out var bytes) ? BinaryPrimitives.ReadInt32LittleEndian(bytes) : 0;

    /// <summary>An unsigned 16-bit integer, 0 when it does not fit.</summary>
    public int UInt16() => Take(2, out var bytes) ? BinaryPrimitives.ReadUInt16LittleEndian(bytes) : 0;

    /// <summary>A 64-bit integer, 0 when it does not fit.</summary>
    public long Int64() => Take(8, out var bytes) ? BinaryPrimitives.ReadInt64LittleEndian(bytes) : 0;

    /// <summary>Number of bytes after the last field.</summary>
    public readonly int Left => _rest.Length;

    /// <summary>The bytes after the last field.</summary>
    public readonly ReadOnlySpan<byte> Rest => _rest;

    /// <summary>A GUID, empty when it does not fit.</summary>
    public Guid Guid() => Take(16, out var bytes) ? new Guid(bytes) : default;

    /// <summary>Some bytes, none when they do not fit.</summary>
    public ReadOnlySpan<byte> Bytes(int count) => Items(count, 1);

    /// <summary>The bytes of items of one size, none when they do not fit.</summary>
    public ReadOnlySpan<byte> Items(int count, int size)
    {
        if (count >= 0 && count <= _rest.Length / size && Take(count * size, out var bytes))
            return bytes;
        Fits = false;
        return default;
    }

    /// <summary>A UTF-16 string with its terminating zero, empty when it does not fit.</summary>
    public string Text() => new(TakeText());

    /// <summary>A UTF-16 string with its terminating zero from a pool, empty when it does not fit.</summary>
    public string Text(TextPool texts) => texts.Of(TakeText());

    /// <summary>Skips a UTF-16 string.</summary>
    public void SkipText() => TakeText();

    private ReadOnlySpan<char> TakeText()
    {
        if (TryReadText(ref _rest, out var text))
            return text;
        Fits = false;
        return default;
    }

    /// <summary>Takes a UTF-16 string with its terminating zero from the start of some bytes, as a view of them.</summary>
    /// <returns>False when it does not end in them; they are then unchanged.</returns>
    public static bool TryReadText(scoped ref ReadOnlySpan<byte> rest, out ReadOnlySpan<char> text)
    {
        var characters = MemoryMarshal.Cast<byte, char>(rest);
        var end = characters.IndexOf('\0');
        text = end < 0 ? default : characters[..end];
        if (end < 0)
            return false;
        rest = rest[(2 * (end + 1))..];
        return true;
    }

    private bool Take(int bytes, out ReadOnlySpan<byte> taken)
    {
        if (_rest.Length < bytes)
        {
            Fits = false;
            taken = default;
            return false;
        }

        taken = _rest[..bytes];
        _rest = _rest[bytes..];
        return true;
    }
}
