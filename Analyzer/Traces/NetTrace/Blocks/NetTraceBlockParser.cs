using System.Buffers.Binary;
using System.Text;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Traces.NetTrace.Blocks;

/// <summary>
/// Splits a .nettrace stream (formats 4 and 5) that arrives in pieces of any size into undecoded blocks. Allocates only for a block larger
/// than all previous ones.
/// </summary>
/// <remarks>Source of the format: NetTraceFormat_v5.md of microsoft/perfview.</remarks>
public sealed class NetTraceBlockParser
{
    /// <summary>Magic (8), length of the next text (4), the text (20).</summary>
    private const int StreamHeaderBytes = 32;

    /// <summary>Tags (3), version (4), least version of a reader (4), length of the name (4).</summary>
    private const int TypeHeadBytes = 15;

    private const int MaxNameLength = 64;
    private const int TraceObjectBytes = 48;

    /// <summary>No runtime writes blocks over 100 KB plus an event, so a larger size is damage.</summary>
    private const int MaxBlockBytes = 16 << 20;

    private const byte NullTag = 1;
    private const byte BeginTag = 5;
    private const byte EndTag = 6;

    /// <summary>Names of the kinds, by number.</summary>
    private static readonly byte[][] s_names =
    [
        "EventBlock"u8.ToArray(),
        "MetadataBlock"u8.ToArray(),
        "StackBlock"u8.ToArray(),
        "SPBlock"u8.ToArray(),
    ];

    private readonly string _name;

    /// <summary>The type of each kind as in the stream, with its tags.</summary>
    private readonly byte[]?[] _types = new byte[s_names.Length][];

    /// <summary>Bytes [0, _filled) are from the stream, [0, _taken) were delivered.</summary>
    private byte[] _bytes = new byte[256 << 10];
    private int _filled;
    private int _taken;

    /// <summary>Offset in the stream of the byte at _taken.</summary>
    private long _offset;

    private byte[]? _head;

    /// <summary>Creates a parser.</summary>
    /// <param name="name">Name of the stream, for errors.</param>
    public NetTraceBlockParser(string name) => _name = name;

    /// <summary>Everything before the first block: stream header and the Trace object; empty until it arrived.</summary>
    public ReadOnlySpan<byte> Head => _head;

    /// <summary>Whether the end of the stream was read.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>The type of a kind of block as in the stream, with its tags: the bytes before a block's size.</summary>
    /// <exception cref="InvalidOperationException">No such block was read.</exception>
    public ReadOnlySpan<byte> TypeOf(NetTraceBlockKind kind) =>
        _types[(int)kind] ?? throw new InvalidOperationException($"no {kind} block was read");

    /// <summary>Adds bytes of the stream.</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        if (_bytes.Length - _filled < bytes.Length)
        {
            _bytes.AsSpan(_taken, _filled - _taken).CopyTo(_bytes);
            _filled -= _taken;
            _taken = 0;
            if (_bytes.Length - _filled < bytes.Length)
                Array.Resize(ref _bytes, Math.Max(_filled + bytes.Length, Math.Min(2 * _bytes.Length, Array.MaxLength)));
        }

        bytes.CopyTo(_bytes.AsSpan(_filled));
        _filled += bytes.Length;
    }

    /// <summary>Reads the next block, valid until the next call; false when it is incomplete, or when the stream ended.</summary>
    /// <exception cref="TraceFormatException">The stream is not of format 4 or 5, or is damaged.</exception>
    public bool TryRead(out NetTraceBlock block)
    {
        block = default;
        if (HasEnded || (_head is null && !TryReadHead()))
            return false;
        var rest = _bytes.AsSpan(_taken, _filled - _taken);
        if (rest.IsEmpty)
            return false;
        if (rest[0] == NullTag)
        {
            HasEnded = true;
            return false;
        }

        if (!TryReadType(rest, out var typeBytes, out var name))
            return false;
        var kind = KindOf(name);
        _types[kind] ??= rest[..typeBytes].ToArray();

        if (rest.Length < typeBytes + 4)
            return false;
        var size = BinaryPrimitives.ReadInt32LittleEndian(rest[typeBytes..]);
        if (size is < 0 or > MaxBlockBytes)
            throw Wrong($"the size of a {(NetTraceBlockKind)kind} block", $"found {size}");
        var start = typeBytes + 4 + (int)(-(_offset + typeBytes + 4) & 3); // the content is aligned to 4 bytes of the stream
        if (rest.Length <= start + size)
            return false;
        if (rest[start + size] != EndTag)
            throw Wrong($"the end tag of a {(NetTraceBlockKind)kind} block of {Plural.Of(size, "byte")}", $"found {rest[start + size]}");
        block = new NetTraceBlock((NetTraceBlockKind)kind, rest.Slice(start, size));
        Take(start + size + 1);
        return true;
    }

    private bool TryReadHead()
    {
        var rest = _bytes.AsSpan(_taken, _filled - _taken);
        if (rest.Length < StreamHeaderBytes + TypeHeadBytes)
            return false;
        if (!rest.StartsWith(NetTraceLayout.Magic))
            throw Wrong("the bytes 'Nettrace'", "this is not a .nettrace stream");
        if (BinaryPrimitives.ReadInt32LittleEndian(rest[8..]) == 0)
            throw Wrong("a stream of format 4 or 5", $"it has format {BinaryPrimitives.ReadInt32LittleEndian(rest[12..])}");
        if (!rest[12..].StartsWith("!FastSerialization.1"u8))
            throw Wrong("'!FastSerialization.1'", "the header is damaged or of another format");
        if (!TryReadType(rest[StreamHeaderBytes..], out var typeBytes, out var name))
            return false;
        var version = BinaryPrimitives.ReadInt32LittleEndian(rest[(StreamHeaderBytes + 3)..]);
        if (!name.SequenceEqual("Trace"u8) || version is < 4 or > 5)
            throw Wrong("the object 'Trace' of format 4 or 5", $"found '{Encoding.UTF8.GetString(name)}' of version {version}");
        var bytes = StreamHeaderBytes + typeBytes + TraceObjectBytes + 1;
        if (rest.Length < bytes)
            return false;
        _head = rest[..bytes].ToArray();
        Take(bytes);
        return true;
    }

    /// <summary>Reads the type of an object; false when it is incomplete.</summary>
    private bool TryReadType(ReadOnlySpan<byte> rest, out int bytes, out ReadOnlySpan<byte> name)
    {
        bytes = 0;
        name = default;
        if (rest.Length < TypeHeadBytes)
            return false;
        var length = BinaryPrimitives.ReadInt32LittleEndian(rest[11..]);
        if (rest[0] != BeginTag || rest[1] != BeginTag || rest[2] != NullTag || length is <= 0 or > MaxNameLength)
            throw Wrong("the start of an object", "the stream is damaged");
        bytes = TypeHeadBytes + length + 1;
        if (rest.Length < bytes)
            return false;
        if (rest[bytes - 1] != EndTag)
            throw Wrong("the end of an object's type", "the stream is damaged");
        name = rest.Slice(TypeHeadBytes, length);
        return true;
    }

    private int KindOf(ReadOnlySpan<byte> name)
    {
        for (var kind = 0; kind < s_names.Length; kind++)
        {
            if (name.SequenceEqual(s_names[kind]))
                return kind;
        }

        throw Wrong("a block of a known type", $"found an object '{Encoding.UTF8.GetString(name)}'");
    }

    private void Take(int bytes)
    {
        _taken += bytes;
        _offset += bytes;
    }

    private TraceFormatException Wrong(string expected, string found) =>
        new(_name, _offset, expected, found, "record with --mode file, which stores the stream unchanged");
}
