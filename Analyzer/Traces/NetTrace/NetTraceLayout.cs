using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.NetTrace.Blocks;
using EtwSerializerProfiler.Traces.Packing;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>
/// The sequence of blocks in a .nettrace file, found without decoding events. It distinguishes complete from truncated files, locates
/// damage, and protects the decoder from impossible sizes.
/// </summary>
/// <remarks>
/// Formats 4 and 5: objects between the tags 5 (begin) and 6 (end), each with the type's name, blocks with a size and padding to four
/// bytes; the file ends with the tag 1 (null). Format 6: blocks with a 4-byte header (24 bits size, 8 bits kind); the file ends with a
/// header of zeros. Source: NetTraceFormat_v5.md and NetTraceFormat_v6.md of microsoft/perfview.
/// </remarks>
internal sealed class NetTraceLayout
{
    private const byte NullTag = 1;
    private const byte BeginTag = 5;
    private const byte EndTag = 6;
    private const int TraceObjectBytes = 48;

    /// <summary>
    /// Maximum number of bytes before a block's content: tags, the versions and the name of the type, the size and its padding.
    /// </summary>
    private const int MaxBlockHead = 64;
    private static readonly byte[] s_serialization = "!FastSerialization.1"u8.ToArray();

    private readonly List<NetTraceBlockPlace> _blocks = [];
    private int[]?[]? _typesOfBlocks;

    private NetTraceLayout(string path, long fileBytes, NetTraceHeader header)
    {
        Path = path;
        FileBytes = fileBytes;
        Header = header;
    }

    /// <summary>First bytes of a file.</summary>
    public static ReadOnlySpan<byte> Magic => "Nettrace"u8;

    /// <summary>Path of the file.</summary>
    public string Path { get; }

    /// <summary>
    /// Size of the file's content during the scan. Offsets are those in this content, whether the file is compressed or not.
    /// </summary>
    public long FileBytes { get; }

    /// <summary>The first object.</summary>
    public NetTraceHeader Header { get; }

    /// <summary>The complete blocks after the first object, in order.</summary>
    public IReadOnlyList<NetTraceBlockPlace> Blocks => _blocks;

    /// <summary>
    /// Ids of the event types in each event block, once a reader has read it; null before. Not in format 6, where the type of an event also
    /// depends on its labels.
    /// </summary>
    public int[]?[] TypesOfBlocks => _typesOfBlocks ??= new int[]?[_blocks.Count];

    /// <summary>Offset after the last complete block.</summary>
    public long ValidBytes { get; private set; }

    /// <summary>The damage; null when the file ends correctly.</summary>
    public TraceDamage? Damage { get; private set; }

    /// <summary>Treats a file without an end as complete if it has all bytes that its process wrote before it was killed.</summary>
    /// <param name="receivedBytes">Bytes that the recorder received until the stream's end.</param>
    /// <returns>Whether the file is complete.</returns>
    public bool EndsWithItsProcess(long receivedBytes)
    {
        if (Damage is not { IsCutOff: true } || receivedBytes != FileBytes)
            return false;
        Damage = null;
        return true;
    }

    /// <summary>Bytes that end a stream of this version.</summary>
    public ReadOnlySpan<byte> Terminator => Header.Version >= 6 ? [0, 0, 0, 0] : [NullTag];

    /// <summary>Scans a file.</summary>
    /// <exception cref="TraceFormatException">
    /// The file is empty, not a .nettrace file, of an unknown version, or cut before its first object ends.
    /// </exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static NetTraceLayout Scan(string path)
    {
        using var file = PackedFile.OpenRead(path, 4096);
        var layout = Scan(path, file, (file as PackedStream)?.Index);
        if (layout.Damage is { } damage && file is PackedStream { Problem: { } problem })
            layout.Damage = damage with { Reason = problem, IsCutOff = false };
        return layout;
    }

    /// <summary>Scans a stream that can seek.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="file">The stream.</param>
    /// <param name="index">Result of <see cref="BlockIndex"/>, which saves the reading of all content; null for none.</param>
    /// <exception cref="TraceFormatException">As in the overload with a path.</exception>
    public static NetTraceLayout Scan(string path, Stream file, byte[]? index = null)
    {
        var reader = new Cursor(file);
        if (reader.Length == 0)
            throw new TraceFormatException(path, 0, "a .nettrace file", "the file is empty", "record again");
        Span<byte> magic = stackalloc byte[8];
        if (!reader.TryRead(magic) || !magic.SequenceEqual(Magic))
            throw new TraceFormatException(
                path,
                0,
                "the bytes 'Nettrace'",
                "this is not a .nettrace file (format 4 or later)",
                "name a recording's folder or a .nettrace file"
            );
        return reader.TryReadInt(out var next) && next == 0 ? ScanVersion6(path, reader) : ScanVersion5(path, reader, next, index);
    }

    private static NetTraceLayout ScanVersion5(string path, Cursor reader, int nameLength, byte[]? index)
    {
        Span<byte> name = stackalloc byte[20];
        if (nameLength != s_serialization.Length || !reader.TryRead(name) || !name.SequenceEqual(s_serialization))
            throw new TraceFormatException(
                path,
                8,
                "'!FastSerialization.1'",
                "the header is damaged or of another format",
                "copy the file again, or record again"
            );

        Span<byte> trace = stackalloc byte[TraceObjectBytes];
        var start = reader.Position;
        if (!TryReadType(reader, out var type, out var version) || type != "Trace")
            throw new TraceFormatException(
                path,
                start,
                "the object 'Trace'",
                "the header is damaged or cut off",
                "copy the file again, or record again"
            );
        if (version is < 4 or > 5)
            throw new TraceFormatException(
                path,
                start,
                "format version 4 or 5",
                $"the file has version {version}",
                version < 4 ? "record again with .NET Core 3.0 or later" : "use a newer version of this tool"
            );
        if (!reader.TryRead(trace) || !reader.TryReadByte(out var end) || end != EndTag)
            throw new TraceFormatException(
                path,
                start,
                $"{TraceObjectBytes} bytes of the object 'Trace'",
                "the header is damaged or cut off",
                "copy the file again, or record again"
            );

        var layout = new NetTraceLayout(
            path,
            reader.Length,
            ReadHeader(path, start, version, trace, BinaryPrimitives.ReadInt32LittleEndian(trace[36..]))
        );
        layout.ValidBytes = reader.Position;
        if (index is not null && BlockIndex.TryRead(index, reader.Position, reader.Length, layout._blocks, out var validBytes))
            layout.ValidBytes = validBytes;
        else
            layout.ScanObjects(reader);
        return layout;
    }

    private static NetTraceLayout ScanVersion6(string path, Cursor reader)
    {
        if (!reader.TryReadInt(out var major) || !reader.TryReadInt(out _) || major != 6)
            throw new TraceFormatException(
                path,
                12,
                "format version 6",
                $"the file has version {major}",
                "use a newer version of this tool"
            );
        var start = reader.Position;
        const int MinTraceBytes = 40,
            MaxTraceBytes = 1 << 20;
        if (!reader.TryReadInt(out var head) || head >>> 24 != 1 || (head & 0xFFFFFF) is < MinTraceBytes or > MaxTraceBytes)
            throw new TraceFormatException(
                path,
                start,
                "the Trace block",
                "the header is damaged or cut off",
                "copy the file again, or record again"
            );
        var block = new byte[head & 0xFFFFFF];
        if (!reader.TryRead(block))
            throw new TraceFormatException(
                path,
                start,
                $"{block.Length} bytes of the Trace block",
                "the header is cut off",
                "copy the file again, or record again"
            );

        var pairs = ReadPairs(block);
        var header = ReadHeader(path, start, 6, block, (int)(Number(pairs, "ProcessId") ?? 0)) with
        {
            SamplingNanoseconds = Number(pairs, "ExpectedCPUSamplingRate"),
            Processors = Number(pairs, NetTraceHeader.ProcessorsKey) is { } processors and > 0 and <= int.MaxValue ? (int)processors : null,
            SwitchesAreIn = pairs.GetValueOrDefault(NetTraceHeader.SwitchEventsKey) == NetTraceHeader.SwitchedIn,
            SamplesKernel = pairs.GetValueOrDefault(NetTraceHeader.KernelSamplesKey) != NetTraceHeader.NotRecorded,
            Recorded = NetTraceHeader.RecordedOf(pairs.GetValueOrDefault(NetTraceHeader.RecordedKindsKey, "")),
        };
        var layout = new NetTraceLayout(path, reader.Length, header);
        layout.ValidBytes = reader.Position;
        while (true)
        {
            start = reader.Position;
            if (!reader.TryReadInt(out head))
                return layout.Stop(start, "the end-of-stream block is missing: the file is cut off", isCutOff: true);
            if (head == 0)
                return layout;
            if (!reader.TrySkip(head & 0xFFFFFF))
                return layout.Stop(start, $"a block of {Plural.Of(head & 0xFFFFFF, "byte")} is cut off", isCutOff: true);
            layout.Add(new NetTraceBlockPlace(KindOfVersion6(head >>> 24), start, start + sizeof(int), head & 0xFFFFFF), reader.Position);
        }
    }

    /// <summary>Kinds of format 6 by their number; readers skip unknown ones.</summary>
    private static NetTraceBlockKind? KindOfVersion6(int number) =>
        number switch
        {
            2 => NetTraceBlockKind.Event,
            3 => NetTraceBlockKind.Metadata,
            4 => NetTraceBlockKind.SequencePoint,
            5 => NetTraceBlockKind.Stack,
            6 => NetTraceBlockKind.Thread,
            7 => NetTraceBlockKind.RemoveThread,
            8 => NetTraceBlockKind.LabelList,
            _ => null,
        };

    private static NetTraceHeader ReadHeader(string path, long offset, int version, ReadOnlySpan<byte> trace, int processId)
    {
        var frequency = BinaryPrimitives.ReadInt64LittleEndian(trace[24..]);
        var pointer = BinaryPrimitives.ReadInt32LittleEndian(trace[32..]);
        if (frequency is < 1_000 or > 1_000_000_000_000)
            throw new TraceFormatException(
                path,
                offset,
                "the frequency of the trace's clock",
                $"{frequency} ticks per second are impossible: the header is damaged",
                "copy the file again, or record again"
            );
        if (pointer is not (4 or 8))
            throw new TraceFormatException(
                path,
                offset,
                "a pointer size of 4 or 8",
                $"found {pointer}: the header is damaged",
                "copy the file again, or record again"
            );
        if (ReadTime(trace) is not { } start)
            throw new TraceFormatException(
                path,
                offset,
                "the date of the session",
                "the date is invalid: the header is damaged",
                "copy the file again, or record again"
            );
        return new NetTraceHeader(
            version,
            start,
            new TraceClock(BinaryPrimitives.ReadInt64LittleEndian(trace[16..]), frequency),
            pointer,
            processId
        );
    }

    private static DateTime? ReadTime(ReadOnlySpan<byte> systemTime)
    {
        Span<int> part = stackalloc int[8];
        for (var i = 0; i < 8; i++)
            part[i] = BinaryPrimitives.ReadUInt16LittleEndian(systemTime[(2 * i)..]);
        return
            part[0] is >= 1 and <= 9999
            && part[1] is >= 1 and <= 12
            && part[3] >= 1
            && part[3] <= DateTime.DaysInMonth(part[0], part[1])
            && part[4] < 24
            && part[5] < 60
            && part[6] < 60
            && part[7] < 1000
            ? new DateTime(part[0], part[1], part[3], part[4], part[5], part[6], part[7], DateTimeKind.Utc)
            : null;
    }

    /// <summary>Reads the key-value pairs after the fixed fields.</summary>
    private static Dictionary<string, string> ReadPairs(ReadOnlySpan<byte> block)
    {
        var pairs = new Dictionary<string, string>();
        var count = BinaryPrimitives.ReadInt32LittleEndian(block[36..]);
        var reader = new PayloadReader(block[40..]);
        for (var i = 0; i < count && reader.Fits; i++)
            pairs[reader.Utf8Text()] = reader.Utf8Text();
        return pairs;
    }

    private static long? Number(Dictionary<string, string> pairs, string key) =>
        pairs.TryGetValue(key, out var text)
        && long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
        && number is > 0 and < int.MaxValue
            ? number
            : null;

    /// <summary>Reads start tag and type of an object, up to its payload.</summary>
    private static bool TryReadType(Cursor reader, out string type, out int version)
    {
        type = "";
        version = 0;
        Span<byte> head = stackalloc byte[15];
        if (!reader.TryRead(head) || head[0] != BeginTag || head[1] != BeginTag || head[2] != NullTag)
            return false;
        version = BinaryPrimitives.ReadInt32LittleEndian(head[3..]);
        var length = BinaryPrimitives.ReadInt32LittleEndian(head[11..]);
        Span<byte> name = stackalloc byte[64];
        if (length is <= 0 or > 64 || !reader.TryRead(name[..length]) || !reader.TryReadByte(out var end) || end != EndTag)
            return false;
        type = Encoding.UTF8.GetString(name[..length]);
        return true;
    }

    private void ScanObjects(Cursor reader)
    {
        while (true)
        {
            var start = reader.Position;
            if (!reader.TryReadByte(out var tag))
            {
                Stop(start, "the end-of-stream tag is missing: the file is cut off", isCutOff: true);
                return;
            }

            if (tag == NullTag)
                return;
            reader.Seek(start);
            if (!TryReadType(reader, out var type, out _) || KindOfVersion5(type) is not { } kind)
            {
                Stop(start, "no block of a known type at this offset", isCutOff: FileBytes - start < MaxBlockHead);
                return;
            }

            if (!reader.TryReadInt(out var size) || size < 0 || !reader.TrySkip((int)(-reader.Position & 3)))
            {
                Stop(start, $"the size of this {type} is damaged or cut off", isCutOff: FileBytes - start < MaxBlockHead);
                return;
            }

            var content = reader.Position;
            if (!reader.TrySkip(size) || !reader.TryReadByte(out tag))
            {
                Stop(start, $"this {type} of {Plural.Of(size, "byte")} is cut off", isCutOff: true);
                return;
            }

            if (tag != EndTag)
            {
                Stop(start, $"this {type} of {Plural.Of(size, "byte")} has no end tag");
                return;
            }

            if (kind == NetTraceBlockKind.Metadata)
            {
                var next = reader.Position;
                var block = new byte[size];
                reader.Seek(content);
                if (!reader.TryRead(block) || !NetTraceMetadata.IsPlausible(block))
                {
                    Stop(start, "this MetadataBlock describes invalid events");
                    return;
                }

                reader.Seek(next);
            }

            Add(new NetTraceBlockPlace(kind, start, content, size), reader.Position);
        }
    }

    private static NetTraceBlockKind? KindOfVersion5(string type) =>
        type switch
        {
            "EventBlock" => NetTraceBlockKind.Event,
            "MetadataBlock" => NetTraceBlockKind.Metadata,
            "StackBlock" => NetTraceBlockKind.Stack,
            "SPBlock" => NetTraceBlockKind.SequencePoint,
            _ => null,
        };

    private void Add(in NetTraceBlockPlace block, long end)
    {
        _blocks.Add(block);
        ValidBytes = end;
    }

    private NetTraceLayout Stop(long offset, string reason, bool isCutOff = false)
    {
        Damage = new TraceDamage(Path, offset, FileBytes, reason) { IsCutOff = isCutOff };
        return this;
    }

    /// <summary>Reads from a position of a stream; methods return false at its end instead of throwing.</summary>
    private sealed class Cursor(Stream stream)
    {
        public long Length { get; } = stream.Length;

        public long Position { get; private set; }

        public void Seek(long position) => stream.Position = Position = position;

        public bool TryRead(Span<byte> bytes)
        {
            if (Length - Position < bytes.Length || stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false) < bytes.Length)
                return false;
            Position += bytes.Length;
            return true;
        }

        public bool TryReadByte(out byte value)
        {
            Span<byte> one = stackalloc byte[1];
            var read = TryRead(one);
            value = one[0];
            return read;
        }

        public bool TryReadInt(out int value)
        {
            Span<byte> four = stackalloc byte[4];
            var read = TryRead(four);
            value = BinaryPrimitives.ReadInt32LittleEndian(four);
            return read;
        }

        public bool TrySkip(int bytes)
        {
            if (Length - Position < bytes)
                return false;
            Seek(Position + bytes);
            return true;
        }
    }
}
