using System.Buffers.Binary;

namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>
/// A queue of chunks on pages of a <see cref="CircularMemory"/>, oldest first. Its first and last page are always loaded. Guarded by the
/// memory's lock.
/// </summary>
internal sealed class CircularLog
{
    /// <summary>Marker in the length field: the next chunk is on the next page.</summary>
    private const int Skip = -1;

    private readonly CircularMemory _memory;
    private readonly ICircularOwner _owner;
    private readonly bool _contiguous;
    private readonly Queue<CircularPage> _pages = [];
    private CircularPage? _tail;

    /// <summary>Offset of the first chunk in the first page.</summary>
    private int _headAt;
    private int _tailAt;

    private CircularChunk _head;

    public CircularLog(CircularMemory memory, ICircularOwner owner, bool timed, bool contiguous)
    {
        _memory = memory;
        _owner = owner;
        _contiguous = contiguous;
        IsTimed = timed;
    }

    /// <summary>Whether the memory drops the chunks by time.</summary>
    public bool IsTimed { get; }

    /// <summary>Number of chunks.</summary>
    public int Chunks { get; private set; }

    /// <summary>Bytes of content.</summary>
    public long Bytes { get; private set; }

    /// <summary>Bytes of dropped content.</summary>
    public long DroppedBytes { get; private set; }

    /// <summary>Number of its pages.</summary>
    public int Pages => _pages.Count;

    /// <summary><see cref="CircularChunk.Newest"/> of the first chunk.</summary>
    public long HeadNewest => _head.Newest;

    /// <summary><see cref="CircularChunk.Tag"/> of the first chunk.</summary>
    public int HeadTag => _head.Tag;

    /// <summary>Content of the first chunk, in a log of contiguous chunks.</summary>
    public ReadOnlySpan<byte> HeadContent => Head.AsSpan(_headAt + CircularChunk.HeaderBytes, _head.Length);

    private byte[] Head => _pages.Peek().Bytes!;

    /// <summary>Number of new pages that a chunk needs.</summary>
    public int PagesNeeded(int bytes)
    {
        var whole = CircularChunk.HeaderBytes + bytes;
        var room = Room(whole);
        return room >= whole ? 0 : (whole - room + CircularMemory.PageBytes - 1) / CircularMemory.PageBytes;
    }

    /// <summary>Appends a chunk; drops the oldest chunks of the memory when it is full.</summary>
    /// <returns>
    /// False when the chunk itself was dropped: it lies before the cut and no older chunk is kept, or it is larger than the memory.
    /// </returns>
    public bool TryAppend(int tag, long newest, ReadOnlySpan<byte> content)
    {
        if (LiesBeforeCut(newest) || !_memory.Reserve(this, content.Length) || LiesBeforeCut(newest))
        {
            DroppedBytes += content.Length;
            if (IsTimed)
                _memory.CutAt(newest);
            return false;
        }

        var whole = CircularChunk.HeaderBytes + content.Length;
        if (Room(whole) == 0)
            AddPage();
        var chunk = new CircularChunk(content.Length, tag, newest);
        WriteHeader(_tail!.Bytes!, _tailAt, chunk);
        _tailAt += CircularChunk.HeaderBytes;
        if (Chunks++ == 0)
            _head = chunk;
        Bytes += content.Length;
        while (true)
        {
            var part = Math.Min(content.Length, CircularMemory.PageBytes - _tailAt);
            content[..part].CopyTo(_tail.Bytes.AsSpan(_tailAt));
            _tailAt += part;
            content = content[part..];
            if (content.IsEmpty)
                return true;
            AddPage();
        }
    }

    /// <summary>Drops the first chunk.</summary>
    public void DropHead()
    {
        _owner.OnDropping(this, _head);
        DroppedBytes += _head.Length;
        Bytes -= _head.Length;
        if (--Chunks == 0)
        {
            while (_pages.TryDequeue(out var page))
                _memory.GiveBack(page);
            _tail = null;
            _headAt = _tailAt = 0;
            return;
        }

        _headAt += CircularChunk.HeaderBytes + _head.Length;
        while (_headAt >= CircularMemory.PageBytes)
            NextHeadPage(_headAt - CircularMemory.PageBytes);
        if (!TryReadHeader(Head, _headAt, out _head))
        {
            NextHeadPage(0);
            TryReadHeader(Head, 0, out _head);
        }
    }

    /// <summary>Reads the chunks, oldest first. The log must not change meanwhile.</summary>
    public Reader Read() => new(this);

    /// <summary>A chunk before the cut is still kept when older chunks are kept, because readers take a gap for a loss.</summary>
    private bool LiesBeforeCut(long newest) => IsTimed && Chunks == 0 && newest <= _memory.CutTime;

    private void NextHeadPage(int at)
    {
        _memory.GiveBack(_pages.Dequeue());
        _memory.Load(_pages.Peek());
        _headAt = at;
    }

    /// <summary>Bytes of the last page that a chunk can use; 0 when the chunk has to begin on a new page.</summary>
    private int Room(int wholeChunk)
    {
        var room = _tail is null ? 0 : CircularMemory.PageBytes - _tailAt;
        return room >= (_contiguous ? wholeChunk : CircularChunk.HeaderBytes) ? room : 0;
    }

    private void AddPage()
    {
        if (_tail is not null && CircularMemory.PageBytes - _tailAt >= CircularChunk.HeaderBytes)
            WriteHeader(_tail.Bytes!, _tailAt, new CircularChunk(Skip, 0, 0));
        if (_pages.Count > 1)
            _memory.Unload(_tail!);
        _tail = _memory.TakePage();
        _tailAt = 0;
        _pages.Enqueue(_tail);
    }

    private static void WriteHeader(byte[] page, int at, CircularChunk chunk)
    {
        var header = page.AsSpan(at, CircularChunk.HeaderBytes);
        BinaryPrimitives.WriteInt32LittleEndian(header, chunk.Length);
        BinaryPrimitives.WriteInt32LittleEndian(header[4..], chunk.Tag);
        BinaryPrimitives.WriteInt64LittleEndian(header[8..], chunk.Newest);
    }

    /// <summary>False when the next chunk begins on the next page.</summary>
    private static bool TryReadHeader(byte[] page, int at, out CircularChunk chunk)
    {
        chunk = default;
        if (CircularMemory.PageBytes - at < CircularChunk.HeaderBytes)
            return false;
        var header = page.AsSpan(at, CircularChunk.HeaderBytes);
        chunk = new CircularChunk(
            BinaryPrimitives.ReadInt32LittleEndian(header),
            BinaryPrimitives.ReadInt32LittleEndian(header[4..]),
            BinaryPrimitives.ReadInt64LittleEndian(header[8..])
        );
        return chunk.Length != Skip;
    }

    /// <summary>Iterates over the chunks; each chunk's content comes in the pieces in which it is stored.</summary>
    public struct Reader
    {
        private readonly CircularLog _log;
        private Queue<CircularPage>.Enumerator _pages;
        private int _at;
        private int _left;
        private int _chunks;

        internal Reader(CircularLog log)
        {
            _log = log;
            _pages = log._pages.GetEnumerator();
            _pages.MoveNext();
            _at = log._headAt;
            _chunks = log.Chunks;
        }

        /// <summary>Moves to the next chunk and skips the unread rest of this one.</summary>
        public bool TryNext(out CircularChunk chunk)
        {
            while (TryReadPiece(out _)) { }

            chunk = default;
            if (_chunks == 0)
                return false;
            _chunks--;
            if (!TryReadHeader(_pages.Current.Bytes!, _at, out chunk))
            {
                NextPage();
                TryReadHeader(_pages.Current.Bytes!, _at, out chunk);
            }

            _at += CircularChunk.HeaderBytes;
            _left = chunk.Length;
            return true;
        }

        /// <summary>Returns the next piece of the chunk's content.</summary>
        public bool TryReadPiece(out ReadOnlySpan<byte> piece)
        {
            piece = default;
            if (_left == 0)
                return false;
            if (_at == CircularMemory.PageBytes)
                NextPage();
            var length = Math.Min(_left, CircularMemory.PageBytes - _at);
            piece = _pages.Current.Bytes.AsSpan(_at, length);
            _at += length;
            _left -= length;
            return true;
        }

        private void NextPage()
        {
            if (_pages.Current != _log._pages.Peek() && _pages.Current != _log._tail)
                _log._memory.Unload(_pages.Current);
            _pages.MoveNext();
            _log._memory.Load(_pages.Current);
            _at = 0;
        }
    }
}
