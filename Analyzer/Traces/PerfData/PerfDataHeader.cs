using System.Buffers.Binary;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.PerfData.Tracepoints;
using EtwSerializerProfiler.Traces.PerfData.Writing;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// Header, attributes and features of a perf.data file. Data needed for reading records must be valid; a damaged feature only causes a
/// warning.
/// </summary>
internal sealed class PerfDataHeader
{
    /// <summary>Maximum number of events, above any recorder's; a larger number is damage.</summary>
    private const long MaxEvents = 65_536;

    /// <summary>Maximum number of ids (events × threads × CPUs), above the open files of any recorder.</summary>
    private const long MaxIds = 4 << 20;

    /// <summary>Maximum size of a feature; descriptions of all tracepoints of a kernel take about 10 MB.</summary>
    private const long MaxFeatureBytes = 64 << 20;

    private readonly SafeFileHandle _file;
    private readonly string _path;
    private readonly long _length;
    private readonly List<string> _warnings = [];

    private PerfDataHeader(SafeFileHandle file, string path)
    {
        _file = file;
        _path = path;
        _length = RandomAccess.GetLength(file);
    }

    public IReadOnlyList<PerfEvent> Events { get; private set; } = [];

    public PerfDataFeatures Features { get; private set; } = new();

    public IReadOnlyList<string> Warnings => _warnings;

    /// <summary>Whether records are compressed (perf record -z).</summary>
    public bool IsCompressed { get; private set; }

    /// <summary>First byte of the data section.</summary>
    public long DataOffset { get; private set; }

    /// <summary>End of the data section in the header; may be beyond the end of a truncated file.</summary>
    public long DataEnd { get; private set; }

    /// <summary>Sections of the features in the order of their bits; empty when their table is missing or invalid.</summary>
    public IReadOnlyList<(int Feature, long Offset, long Size)> Sections { get; private set; } = [];

    /// <exception cref="TraceFormatException">The file is not a perf.data file, or is unreadable.</exception>
    public static PerfDataHeader Read(SafeFileHandle file, string path)
    {
        var header = new PerfDataHeader(file, path);
        header.Read();
        return header;
    }

    private void Read()
    {
        var bytes = Bytes(0, Math.Min(_length, PerfDataFormat.HeaderSize));
        if (bytes.Length < 8)
            throw Wrong(
                0,
                "a perf.data file",
                _length == 0 ? "the file is empty" : $"the file has {Plural.Of(_length, "byte")}",
                "record again"
            );
        if (bytes.AsSpan().StartsWith(PerfDataFormat.SwappedMagic))
            throw Wrong(
                0,
                "a little-endian perf.data file",
                "it was recorded on a big-endian machine",
                "read it on such a machine with perf script"
            );
        if (bytes.AsSpan().StartsWith(PerfDataFormat.OldMagic))
            throw Wrong(0, "a perf.data file of version 2", "it is of version 1, written before Linux 3.x", "record again");
        if (!bytes.AsSpan().StartsWith(PerfDataFormat.Magic))
            throw Wrong(
                0,
                "the magic PERFILE2 of a perf.data file",
                "it is another kind of file",
                "name a file written by esp-record or perf record"
            );
        if (bytes.Length >= 16 && UInt64(bytes, 8) == PerfDataFormat.PipeHeaderSize)
            throw Wrong(8, "a perf.data file", "it was written to a pipe (perf record -o -)", "record into a file");
        if (bytes.Length < PerfDataFormat.HeaderSize)
            throw Wrong(bytes.Length, $"a header of {PerfDataFormat.HeaderSize} bytes", "the file ends inside the header", "record again");
        if (UInt64(bytes, 8) < PerfDataFormat.HeaderSize)
            throw Wrong(8, $"a header size of {PerfDataFormat.HeaderSize} or more", $"it is {UInt64(bytes, 8)}", Damaged);

        var dataSize = UInt64(bytes, PerfDataFormat.DataAt + 8);
        var dataOffset = UInt64(bytes, PerfDataFormat.DataAt);
        if (dataOffset < PerfDataFormat.HeaderSize || dataOffset > (ulong)_length)
            throw Wrong(
                PerfDataFormat.DataAt,
                "the offset of the data section",
                $"{dataOffset} is outside the file of {Plural.Of(_length, "byte")}",
                Damaged
            );
        DataOffset = (long)dataOffset;
        DataEnd = dataSize > (ulong)(long.MaxValue - DataOffset) ? long.MaxValue : DataOffset + (long)dataSize;

        var attributes = ReadAttributes(
            UInt64(bytes, 16),
            UInt64(bytes, PerfDataFormat.AttributesAt),
            UInt64(bytes, PerfDataFormat.AttributesAt + 8)
        );
        var sections = ReadFeatureTable(bytes.AsSpan(PerfDataFormat.FeaturesAt, PerfDataFormat.FeatureBytes));
        if (dataSize == 0 && sections is null)
        {
            // The recorder was killed before it wrote the size, so everything until the end of the file is data.
            DataEnd = _length;
            if (_length > DataOffset)
                _warnings.Add("the header has no data size, because the recorder was killed; records are read up to the end of the file");
        }

        var names = new string?[attributes.Count];
        IReadOnlyList<TracepointFormat> formats = [];
        Sections = sections ?? [];
        foreach (var (feature, offset, size) in Sections)
            ReadFeature(feature, Bytes(offset, size), names, attributes, ref formats);
        Events =
        [
            .. attributes.Select(
                (entry, index) =>
                {
                    var format =
                        entry.Attribute.Kind == PerfEventKind.Tracepoint
                            ? formats.FirstOrDefault(format => (ulong)format.Id == entry.Attribute.Config)
                            : null;
                    return new PerfEvent(
                        names[index] ?? (format is null ? "" : $"{format.System}:{format.Name}"),
                        entry.Attribute,
                        entry.Ids,
                        format
                    );
                }
            ),
        ];
        PerfEvent.FindCpuTime(Events);
    }

    private List<(PerfEventSettings Attribute, ulong[] Ids)> ReadAttributes(ulong entrySize, ulong offset, ulong size)
    {
        if (entrySize is < PerfEventSettings.MinSize + PerfDataFormat.SectionSize or > 65_536)
            throw Wrong(16, "the size of an attribute entry", $"{entrySize} is invalid", Damaged);
        if (!Lies(offset, size) || size < entrySize || size / entrySize > MaxEvents)
            throw Wrong(
                PerfDataFormat.AttributesAt,
                "the section of event attributes",
                $"offset {offset}, size {size} exceeds the file of {Plural.Of(_length, "byte")}",
                Damaged
            );
        var bytes = Bytes((long)offset, (long)size);
        var list = new List<(PerfEventSettings, ulong[])>();
        var total = 0L;
        for (var at = 0; at + (int)entrySize <= bytes.Length; at += (int)entrySize)
        {
            var entry = bytes.AsSpan(at, (int)entrySize);
            var section = entry[^PerfDataFormat.SectionSize..];
            var idOffset = BinaryPrimitives.ReadUInt64LittleEndian(section);
            var idSize = BinaryPrimitives.ReadUInt64LittleEndian(section[8..]);
            if (!Lies(idOffset, idSize) || (total += (long)(idSize / 8)) > MaxIds)
                throw Wrong(
                    (long)offset + at + (long)entrySize - PerfDataFormat.SectionSize,
                    "the section of an event's ids",
                    $"offset {idOffset}, size {idSize} exceeds the file of {Plural.Of(_length, "byte")}",
                    Damaged
                );
            list.Add(
                (
                    PerfEventSettings.Read(entry[..^PerfDataFormat.SectionSize]),
                    MemoryMarshal.Cast<byte, ulong>(Bytes((long)idOffset, (long)idSize)).ToArray()
                )
            );
        }

        return list;
    }

    /// <summary>The features of the file; null when their table is missing or invalid.</summary>
    private List<(int Feature, long Offset, long Size)>? ReadFeatureTable(ReadOnlySpan<byte> bits)
    {
        var features = new List<int>();
        for (var bit = 0; bit < 8 * bits.Length; bit++)
        {
            if ((bits[bit / 8] >> (bit % 8) & 1) != 0)
                features.Add(bit);
        }

        IsCompressed = features.Contains(PerfDataFormat.Compressed);
        var size = (ulong)features.Count * PerfDataFormat.SectionSize;
        if (features.Count == 0)
            return null;
        if (!Lies((ulong)DataEnd, size))
        {
            _warnings.Add($"the table of features at offset {DataEnd} is missing: the file is truncated; events have no names");
            return null;
        }

        var table = Bytes(DataEnd, (long)size);
        var sections = new List<(int, long, long)>();
        for (var index = 0; index < features.Count; index++)
        {
            var (offset, length) = (
                UInt64(table, index * PerfDataFormat.SectionSize),
                UInt64(table, index * PerfDataFormat.SectionSize + 8)
            );
            if (!Lies(offset, length) || length > MaxFeatureBytes)
            {
                _warnings.Add(
                    $"the table of features at offset {DataEnd} is damaged (feature {features[index]}): events may have no names"
                );
                return null;
            }

            sections.Add((features[index], (long)offset, (long)length));
        }

        return sections;
    }

    private void ReadFeature(
        int feature,
        byte[] bytes,
        string?[] names,
        List<(PerfEventSettings Attribute, ulong[] Ids)> attributes,
        ref IReadOnlyList<TracepointFormat> formats
    )
    {
        var cursor = new ByteCursor(bytes);
        switch (feature)
        {
            case PerfDataFormat.TracingData:
                formats = TracingData.Read(bytes);
                break;
            case PerfDataFormat.BuildId:
                Features = Features with { BuildIds = BuildIdSection.Read(bytes, out var isDamaged) };
                if (isDamaged)
                    _warnings.Add($"feature {feature} of the header is damaged");
                break;
            case PerfDataFormat.HostName:
                Features = Features with { HostName = cursor.PaddedText() };
                break;
            case PerfDataFormat.OsRelease:
                Features = Features with { KernelRelease = cursor.PaddedText() };
                break;
            case PerfDataFormat.Version:
                Features = Features with { ToolVersion = cursor.PaddedText() };
                break;
            case PerfDataFormat.Arch:
                Features = Features with { Architecture = cursor.PaddedText() };
                break;
            case PerfDataFormat.ProcessorDescription:
                Features = Features with { ProcessorModel = cursor.PaddedText() };
                break;
            case PerfDataFormat.Processors:
                Features = Features with { ProcessorsPresent = (int)cursor.UInt32(), ProcessorsOnline = (int)cursor.UInt32() };
                break;
            case PerfDataFormat.TotalMemory:
                Features = Features with { MemoryBytes = (long)cursor.UInt64() * 1024 };
                break;
            case PerfDataFormat.CommandLine:
                var words = new List<string>();
                for (var count = cursor.UInt32(); count > 0 && !cursor.Failed; count--)
                    words.Add(cursor.PaddedText());
                Features = Features with { CommandLine = words };
                break;
            case PerfDataFormat.SampleTime:
                Features = Features with { FirstTime = (long)cursor.UInt64(), LastTime = (long)cursor.UInt64() };
                break;
            case PerfDataFormat.ClockData:
                cursor.UInt32();
                Features = Features with { Clock = new PerfClockData((int)cursor.UInt32(), (long)cursor.UInt64(), (long)cursor.UInt64()) };
                break;
            case PerfDataFormat.EventDescription:
                ReadNames(ref cursor, names, attributes);
                break;
        }

        if (cursor.Failed)
            _warnings.Add($"feature {feature} of the header is damaged");
    }

    /// <summary>u32 number of events, u32 size of an attribute; for each: attribute, u32 number of ids, name, ids.</summary>
    private static void ReadNames(ref ByteCursor cursor, string?[] names, List<(PerfEventSettings Attribute, ulong[] Ids)> attributes)
    {
        var count = cursor.UInt32();
        var size = cursor.UInt32();
        for (var index = 0; index < count && index < names.Length && !cursor.Failed; index++)
        {
            cursor.Take(size);
            var ids = cursor.UInt32();
            var name = cursor.PaddedText();
            var first = ids == 0 ? 0 : cursor.UInt64();
            cursor.Take(8 * (ulong)Math.Max(0, (long)ids - 1));

            // The events are in the order of the attributes, unless an id shows otherwise.
            var at = ids == 0 ? index : attributes.FindIndex(entry => Array.IndexOf(entry.Ids, first) >= 0);
            names[at < 0 ? index : at] = name;
        }
    }

    private bool Lies(ulong offset, ulong size) => offset <= (ulong)_length && size <= (ulong)_length - offset;

    /// <summary>Bytes of the file; fewer at its end.</summary>
    public byte[] Bytes(long offset, long size)
    {
        var bytes = new byte[size];
        var read = 0;
        while (read < bytes.Length && RandomAccess.Read(_file, bytes.AsSpan(read), offset + read) is > 0 and var count)
            read += count;
        return read == bytes.Length ? bytes : bytes[..read];
    }

    private static ulong UInt64(byte[] bytes, int at) => BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(at));

    /// <summary>Advice for an invalid header.</summary>
    private const string Damaged = "the header is damaged: copy the file again, or record again";

    private TraceFormatException Wrong(long offset, string expected, string found, string fix) => new(_path, offset, expected, found, fix);
}

/// <summary>The same moment on two clocks, for converting record times to dates.</summary>
/// <param name="ClockId">The records' clock (clockid_t); 1 is CLOCK_MONOTONIC.</param>
/// <param name="WallClockNs">The moment in ns since 1970-01-01 UTC.</param>
/// <param name="ClockNs">The moment on the records' clock, ns.</param>
public sealed record PerfClockData(int ClockId, long WallClockNs, long ClockNs);

/// <summary>Position at which reading ended early.</summary>
/// <param name="Offset">Byte offset of the unreadable record.</param>
/// <param name="Reason">Reason.</param>
public sealed record PerfDataDamage(long Offset, string Reason);
