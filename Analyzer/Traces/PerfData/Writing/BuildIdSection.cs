using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.PerfData.Writing;

/// <summary>
/// Collects the build ids of mapped files, while they are recorded, for the header of perf.data. Allocates only for a file that is new.
/// </summary>
/// <remarks>
/// An entry (struct perf_record_header_build_id, tools/lib/perf/include/perf/event.h): u32 type 0, u16 misc (processor mode, bit 15: the
/// size is given), u16 size, i32 process (-1: of the machine), u8 build id [20], u8 size, 3 bytes, then the path, padded with zeros to a
/// multiple of 64.
/// </remarks>
public sealed class BuildIdSection
{
    internal const int FixedSize = 36;
    internal const int BuildIdAt = 12;
    internal const int MaxBuildIdBytes = 20;

    private const int Machine = -1;
    private const ushort UserMode = 2;
    private const ushort SizeIsGiven = 1 << 15;

    /// <summary>In a mapping's record: the bit that says it has a build id; offsets of the id's size, the id and the path.</summary>
    private const int MappingCarriesBuildId = 1 << 14;
    private const int MappingSizeAt = 40;
    private const int MappingBuildIdAt = 44;
    private const int MappingPathAt = 72;

    private readonly HashSet<UInt128> _known = [];

    /// <summary>Replaced as a whole, because another thread may be writing it to the file.</summary>
    private byte[] _bytes = [];

    /// <summary>The section.</summary>
    public ReadOnlyMemory<byte> Bytes => Volatile.Read(ref _bytes);

    /// <summary>Copies another section into this empty one.</summary>
    public void AddAll(BuildIdSection other)
    {
        ArgumentNullException.ThrowIfNull(other);
        if (_bytes.Length > 0)
            throw new InvalidOperationException("The section already has entries.");
        Volatile.Write(ref _bytes, Volatile.Read(ref other._bytes));
    }

    /// <summary>Adds a record of type Mmap2; ignores others and those without a build id.</summary>
    /// <param name="record">The whole record.</param>
    public void Add(ReadOnlySpan<byte> record)
    {
        if (
            record.Length < MappingPathAt
            || (BinaryPrimitives.ReadUInt16LittleEndian(record[4..]) & MappingCarriesBuildId) == 0
            || BinaryPrimitives.ReadInt32LittleEndian(record) != (int)PerfRecordType.Mmap2
        )
            return;
        var size = record[MappingSizeAt];
        if (size is 0 or > MaxBuildIdBytes)
            return;
        var id = record.Slice(MappingBuildIdAt, size);

        // 16 of its 20 bytes suffice, because it is a hash itself.
        Span<byte> key = stackalloc byte[16];
        key.Clear();
        id[..Math.Min(size, key.Length)].CopyTo(key);
        if (!_known.Add(BinaryPrimitives.ReadUInt128LittleEndian(key)))
            return;
        var path = PerfRecord.Text(record[MappingPathAt..]);
        var padded = (path.Length + PerfDataFormat.TextAlignment) / PerfDataFormat.TextAlignment * PerfDataFormat.TextAlignment;
        var bytes = new byte[_bytes.Length + FixedSize + padded];
        _bytes.CopyTo(bytes, 0);
        var entry = bytes.AsSpan(_bytes.Length);
        BinaryPrimitives.WriteUInt16LittleEndian(entry[4..], UserMode | SizeIsGiven);
        BinaryPrimitives.WriteUInt16LittleEndian(entry[6..], (ushort)entry.Length);
        BinaryPrimitives.WriteInt32LittleEndian(entry[8..], Machine);
        id.CopyTo(entry[BuildIdAt..]);
        entry[BuildIdAt + MaxBuildIdBytes] = size;
        path.CopyTo(entry[FixedSize..]);
        Volatile.Write(ref _bytes, bytes);
    }

    /// <summary>Reads a section: build id in hexadecimal by path. Stops at an entry that does not fit.</summary>
    internal static Dictionary<string, string> Read(ReadOnlySpan<byte> section, out bool isDamaged)
    {
        var ids = new Dictionary<string, string>();
        while (section.Length >= FixedSize)
        {
            int length = BinaryPrimitives.ReadUInt16LittleEndian(section[6..]);
            if (length < FixedSize || length > section.Length)
                break;
            var entry = section[..length];

            // Before Linux 5.12, the size was missing: 20 bytes of SHA-1.
            int size =
                (BinaryPrimitives.ReadUInt16LittleEndian(entry[4..]) & SizeIsGiven) != 0
                    ? Math.Min((int)entry[BuildIdAt + MaxBuildIdBytes], MaxBuildIdBytes)
                    : MaxBuildIdBytes;
            var path = System.Text.Encoding.UTF8.GetString(PerfRecord.Text(entry[FixedSize..]));
            if (path.Length > 0)
                ids[path] = Convert.ToHexStringLower(entry.Slice(BuildIdAt, size));
            section = section[length..];
        }

        isDamaged = section.Length > 0;
        return ids;
    }
}
