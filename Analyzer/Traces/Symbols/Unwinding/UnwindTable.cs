using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.Symbols.Unwinding;

/// <summary>
/// Call frame information of a library: <c>.eh_frame</c> with the sorted index <c>.eh_frame_hdr</c> that linkers write, found by segments,
/// so that no section table is needed. Lookups do not allocate; damaged entries have no row.
/// </summary>
/// <remarks>
/// Formats: Linux Standard Base, "Exception Frames" and DWARF 5, section 6.4. Index: version @0 (1), encodings of pointer to .eh_frame @1,
/// of count @2, of entries @3 (0x3b: 4 bytes each, relative to the index), then pointer, count, and pairs of function and entry. Entry: u32
/// length, u32 distance back to the common entry (0 there), then start and length of the function, size of what follows, instructions.
/// Common entry: version, text of augmentation, alignments of code and data, column of the return address, for 'z' a size and data in the
/// order of the text: 'R' encoding of addresses, 'P' personality, 'L', 'S' signal frame.
/// </remarks>
internal sealed class UnwindTable
{
    /// <summary>DW_EH_PE_omit.</summary>
    public const int NoPointer = 0xff;

    /// <summary>DW_EH_PE_datarel | DW_EH_PE_sdata4, the encoding that linkers use.</summary>
    private const int IndexEncoding = 0x3b;

    private const int IndexEntrySize = 8;

    private readonly UnwindColumns _columns;

    /// <summary>The index from its first pair on, and the base address of its numbers.</summary>
    private readonly ReadOnlyMemory<byte> _index;
    private readonly ulong _indexAddress;
    private readonly int _count;

    /// <summary><c>.eh_frame</c>, and possibly what follows it.</summary>
    private readonly byte[] _frames;
    private readonly ulong _framesAddress;

    private UnwindTable(
        UnwindColumns columns,
        ReadOnlyMemory<byte> index,
        int count,
        ulong indexAddress,
        byte[] frames,
        ulong framesAddress
    )
    {
        _columns = columns;
        _index = index;
        _count = count;
        _indexAddress = indexAddress;
        _frames = frames;
        _framesAddress = framesAddress;
    }

    /// <summary>Functions in the index.</summary>
    public int Count => _count;

    /// <summary>Creates the table of a library.</summary>
    /// <param name="columns">Numbers of registers.</param>
    /// <param name="index"><c>.eh_frame_hdr</c>.</param>
    /// <param name="indexAddress">Its address.</param>
    /// <param name="read">Gives the bytes at an address up to the end of its segment; null when there are none.</param>
    /// <returns>Null when there is no index of the known form.</returns>
    public static UnwindTable? Create(UnwindColumns columns, byte[] index, ulong indexAddress, Func<ulong, byte[]?> read)
    {
        var reader = new DwarfReader(index, indexAddress);
        var version = reader.U8();
        var (framesEncoding, countEncoding, entryEncoding) = (reader.U8(), reader.U8(), reader.U8());
        var framesAddress = reader.Pointer(framesEncoding);
        var count = reader.Pointer(countEncoding);
        if (
            reader.Failed
            || version != 1
            || entryEncoding != IndexEncoding
            || countEncoding == NoPointer
            || count > (ulong)(index.Length - reader.Position) / IndexEntrySize
        )
            return null;
        return read(framesAddress) is { } frames
            ? new UnwindTable(columns, index.AsMemory(reader.Position), (int)count, indexAddress, frames, framesAddress)
            : null;
    }

    /// <summary>The row for an address.</summary>
    public bool TryFind(ulong address, out UnwindRow row)
    {
        row = default;
        return TryFindEntry(address, out var entry) && TryRead(entry, address, out row);
    }

    /// <summary>Start and end of the function, or part of one, that holds an address; null when there is none.</summary>
    public (ulong Start, ulong End)? FindFunction(ulong address) =>
        TryFindEntry(address, out var entry)
        && TryOpenFunction(entry, out var function)
        && function.Start <= address
        && address - function.Start < function.Length
            ? (function.Start, function.Start + function.Length)
            : null;

    /// <summary>The entry of the last function that begins at an address or before it.</summary>
    private bool TryFindEntry(ulong address, out ulong entry)
    {
        var index = _index.Span;
        var low = 0;
        var high = _count;
        while (low < high)
        {
            var middle = (low + high) >>> 1;
            if (InIndex(index, 2 * middle) <= address)
                low = middle + 1;
            else
                high = middle;
        }

        entry = low > 0 ? InIndex(index, 2 * low - 1) : 0;
        return low > 0;
    }

    private ulong InIndex(ReadOnlySpan<byte> index, int number) =>
        _indexAddress + (ulong)BinaryPrimitives.ReadInt32LittleEndian(index[(4 * number)..]);

    private bool TryRead(ulong entryAddress, ulong address, out UnwindRow row)
    {
        row = default;
        if (!TryOpenFunction(entryAddress, out var function) || address < function.Start || address - function.Start >= function.Length)
            return false;
        var program = new UnwindProgram(_columns, function.ReturnAddress, function.CodeAlignment, function.DataAlignment);
        return program.TryRun(function.Common, function.Instructions, function.Encoding, function.Start, address, out row);
    }

    /// <summary>Reads the entry of a function up to its instructions.</summary>
    private bool TryOpenFunction(ulong entryAddress, out Function function)
    {
        function = default;
        if (!TryOpen(entryAddress, out var entry, out var at) || entry.U32() is not (> 0 and var back) || at < back)
            return false;
        if (!TryOpen(at - back, out var common, out _) || common.U32() != 0)
            return false;
        var version = common.U8();
        var augmentation = common.Text();
        if (version == 4)
            common.Skip(2); // sizes of address and segment
        function.CodeAlignment = common.Unsigned();
        function.DataAlignment = common.Signed();
        function.ReturnAddress = version == 1 ? common.U8() : common.Unsigned();
        var encoding = 0;
        if (version is not (1 or 3 or 4) || !TryReadAugmentation(ref common, augmentation, ref encoding))
            return false;

        function.Start = entry.Pointer(encoding);
        function.Length = entry.Pointer(encoding & 0xf);
        if (augmentation.Length > 0)
            entry.Skip(entry.Unsigned());
        function.Encoding = encoding;
        function.Common = common;
        function.Instructions = entry;
        return !entry.Failed && !common.Failed;
    }

    /// <summary>
    /// Reads the augmentation data of a common entry. False for unknown data, and for frames of signal handlers, which are not calls.
    /// </summary>
    private static bool TryReadAugmentation(ref DwarfReader common, ReadOnlySpan<byte> augmentation, ref int encoding)
    {
        if (augmentation.Length == 0)
            return true;
        if (augmentation[0] != (byte)'z')
            return false;
        common.Unsigned();
        foreach (var letter in augmentation[1..])
        {
            switch ((char)letter)
            {
                case 'R':
                    encoding = common.U8();
                    break;
                case 'P':
                    var personality = common.U8();
                    common.Pointer(personality & 0x7f);
                    break;
                case 'L':
                    common.U8();
                    break;
                case 'B': // arm64: return addresses are signed with the other key
                    break;
                default:
                    return false;
            }
        }

        return !common.Failed;
    }

    /// <summary>A reader over an entry after its length field.</summary>
    private bool TryOpen(ulong address, out DwarfReader entry, out ulong contentAddress)
    {
        entry = default;
        contentAddress = address + 4;
        var offset = address - _framesAddress;
        if (offset > (ulong)_frames.Length || (ulong)_frames.Length - offset < 4)
            return false;
        var length = BinaryPrimitives.ReadUInt32LittleEndian(_frames.AsSpan((int)offset));
        if (length is 0 or 0xffffffff || length > (ulong)_frames.Length - offset - 4)
            return false;
        entry = new DwarfReader(_frames.AsSpan((int)offset + 4, (int)length), contentAddress);
        return true;
    }

    /// <summary>The entry of a function; readers are at the instructions.</summary>
    private ref struct Function
    {
        public DwarfReader Common;
        public DwarfReader Instructions;
        public int Encoding;
        public ulong CodeAlignment;
        public long DataAlignment;
        public ulong ReturnAddress;
        public ulong Start;
        public ulong Length;
    }
}
