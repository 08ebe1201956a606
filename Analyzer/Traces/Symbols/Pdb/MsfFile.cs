using System.Buffers.Binary;
using System.Numerics;

namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>
/// The container of a PDB file (MSF 7.00): numbered streams, each stored in pages anywhere in the file. Memory holds only the list of
/// pages, 4 bytes per page of the file; content is read from the file.
/// </summary>
/// <remarks>
/// Layout (microsoft-pdb, LLVM's "The MSF File Format"). Page 0: magic @0 (32 bytes), u32 size of a page @32, pages in the file @40, bytes
/// of the directory @44, @52 the pages with the list of the directory's pages. Directory: u32 number of streams, u32 size of each
/// (0xFFFFFFFF: none), then the pages of each.
/// </remarks>
internal sealed class MsfFile
{
    private const int SuperblockSize = 56;
    private const int MapAt = 52;
    private const int MinPageBytes = 512;
    private const int MaxPageBytes = 64 * 1024;
    private const uint NoStream = 0xFFFF_FFFF;

    /// <summary>Streams are numbered in 16 bits.</summary>
    private const int MaxStreams = 1 << 16;

    private readonly Stream _file;
    private readonly int _pageSize;
    private readonly uint _pageCount;

    /// <summary>Pages of all streams, stream by stream.</summary>
    private readonly uint[] _pages;

    /// <summary>Size of each stream, and the index of its pages in <see cref="_pages"/>.</summary>
    private readonly (int Length, int FirstPage)[] _streams;

    private MsfFile(Stream file)
    {
        _file = file;
        var superblock = new byte[SuperblockSize];
        if (file.Length < SuperblockSize)
            throw new PdbFormatException("a whole PDB file (this one is cut short)", file.Length);
        ReadFile(0, superblock);
        if (superblock.AsSpan().StartsWith("BSJB"u8))
            throw new PdbFormatException("a PDB file of native code, not a portable one (managed code)", 0);
        if (!superblock.AsSpan().StartsWith("Microsoft C/C++ MSF 7.00\r\n\x1a\x44S\0\0\0"u8))
            throw new PdbFormatException("the head of a PDB file (Microsoft C/C++ MSF 7.00)", 0);
        var pageSize = UInt32(superblock, 32);
        if (pageSize is < MinPageBytes or > MaxPageBytes || !BitOperations.IsPow2(pageSize))
            throw new PdbFormatException("the size of a page", 32);
        _pageSize = (int)pageSize;
        _pageCount = UInt32(superblock, 40);
        if (_pageCount > (file.Length + pageSize - 1) / pageSize || _pageCount > Array.MaxLength)
            throw new PdbFormatException("a number of pages that the file has (it may be cut short)", 40);
        (_streams, _pages) = ReadDirectory(Directory(UInt32(superblock, 44)));
    }

    /// <summary>Streams in the file.</summary>
    public int Count => _streams.Length;

    /// <summary>Opens a container.</summary>
    /// <param name="file">The file; the caller disposes it.</param>
    /// <exception cref="PdbFormatException">The file is not such a container, or is damaged.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static MsfFile Open(Stream file) => new(file);

    /// <summary>Size of a stream in bytes; 0 when the file does not have it.</summary>
    public int Length(int stream) => stream >= 0 && stream < _streams.Length ? _streams[stream].Length : 0;

    /// <summary>Reads bytes of a stream.</summary>
    /// <exception cref="PdbFormatException">The stream ends before them.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public void Read(int stream, int offset, Span<byte> bytes)
    {
        var length = Length(stream);
        if (offset < 0 || offset > length || bytes.Length > length - offset)
            throw new PdbFormatException(
                FormattableString.Invariant($"{bytes.Length} bytes of stream {stream}, which has {length},"),
                offset
            );
        while (!bytes.IsEmpty)
        {
            var page = _streams[stream].FirstPage + (offset / _pageSize);
            var inPage = offset % _pageSize;
            var count = Math.Min(_pageSize - inPage, bytes.Length);

            // Adjacent pages are read at once.
            for (var next = page; count < bytes.Length && _pages[next + 1] == _pages[next] + 1; next++)
                count = Math.Min(count + _pageSize, bytes.Length);
            ReadFile(((long)_pages[page] * _pageSize) + inPage, bytes[..count]);
            bytes = bytes[count..];
            offset += count;
        }
    }

    /// <summary>Reads a part of a stream into a new array.</summary>
    /// <exception cref="PdbFormatException">The stream ends before the part does.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public byte[] Read(int stream, int offset, int length)
    {
        if (length < 0 || length > Length(stream))
            throw new PdbFormatException(FormattableString.Invariant($"{length} bytes of stream {stream}"), offset);
        var bytes = new byte[length];
        Read(stream, offset, bytes);
        return bytes;
    }

    private byte[] Directory(uint length)
    {
        if (length < 4 || length > 4L * (1 + MaxStreams + _pageCount))
            throw new PdbFormatException("the size of the directory", 44);
        var pages = (int)((length + _pageSize - 1) / _pageSize);
        var mapPages = ((4 * pages) + _pageSize - 1) / _pageSize;
        if (MapAt + (4 * mapPages) > _pageSize)
            throw new PdbFormatException("a list of the directory's pages", MapAt);
        var mapNumbers = new byte[4 * mapPages];
        ReadFile(MapAt, mapNumbers);
        var map = Gather(mapNumbers, 4 * pages);
        return Gather(map, (int)length);
    }

    /// <summary>The content of numbered pages.</summary>
    private byte[] Gather(byte[] numbers, int length)
    {
        var content = new byte[length];
        for (var at = 0; at < length; at += _pageSize)
        {
            var number = UInt32(numbers, at / _pageSize * 4);
            CheckPage(number);
            ReadFile((long)number * _pageSize, content.AsSpan(at, Math.Min(_pageSize, length - at)));
        }

        return content;
    }

    private ((int Length, int FirstPage)[] Streams, uint[] Pages) ReadDirectory(byte[] directory)
    {
        var count = UInt32(directory, 0);
        if (count > MaxStreams || 4 * (1 + count) > directory.Length)
            throw new PdbFormatException("the number of streams in the directory", 0);
        var streams = new (int, int)[count];
        var pages = new uint[(directory.Length / 4) - 1 - (int)count];
        var used = 0;
        for (var i = 0; i < streams.Length; i++)
        {
            var size = UInt32(directory, 4 * (1 + i));
            var length = size == NoStream ? 0 : size;
            var needed = (int)((length + _pageSize - 1) / _pageSize);
            if (length > Array.MaxLength || needed > pages.Length - used)
                throw new PdbFormatException(FormattableString.Invariant($"the size of stream {i} in the directory"), 4 * (1 + i));
            streams[i] = ((int)length, used);
            used += needed;
        }

        // A page belongs to one stream, so all streams together are at most as long as the file.
        if (used > _pageCount)
            throw new PdbFormatException("streams that fit into the file", 4);
        for (var i = 0; i < used; i++)
        {
            pages[i] = UInt32(directory, 4 * (1 + (int)count + i));
            CheckPage(pages[i]);
        }

        return (streams, pages);
    }

    private void CheckPage(uint number)
    {
        if (number >= _pageCount)
            throw new PdbFormatException(
                FormattableString.Invariant($"the number of a page of the file ({_pageCount}) instead of {number}"),
                0
            );
    }

    private void ReadFile(long offset, Span<byte> bytes)
    {
        _file.Position = offset;
        if (_file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false) < bytes.Length)
            throw new PdbFormatException("more bytes: the file is cut short", offset);
    }

    private static uint UInt32(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[offset..]);
}
