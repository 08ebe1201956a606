namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>
/// The memory that all parts of a circular recording share: a limited number of pages. When no page is free, the oldest chunk of all parts
/// is dropped. So there is one cut time, after which every part is complete.
/// </summary>
/// <remarks>
/// The memory allocates pages when they are first needed and reuses them; once all exist it allocates nothing. With a file, a log's pages
/// are in it except those that are being filled and emptied, so the memory of the process does not depend on the limit.
/// </remarks>
internal sealed class CircularMemory
{
    /// <summary>Size of a page: holds the largest perf record (64 KiB) with its chunk's header.</summary>
    public const int PageBytes = 17 * 4096;

    private readonly int _maxPages;
    private readonly Stack<CircularPage> _free = [];
    private readonly List<CircularLog> _logs = [];

    /// <summary>Buffers of pages that only the file has.</summary>
    private readonly Stack<byte[]> _buffers = [];

    private CircularFile? _file;
    private int _pages;

    /// <summary>Creates the memory.</summary>
    /// <param name="limitBytes">Maximum bytes of all pages together.</param>
    public CircularMemory(long limitBytes) => _maxPages = (int)Math.Min(limitBytes / PageBytes, int.MaxValue);

    /// <summary>Guards the memory and its logs: each part is filled by its own thread and may drop chunks of the others.</summary>
    public Lock Gate { get; } = new();

    /// <summary>
    /// Nothing newer than this was dropped from any part; <see cref="long.MinValue"/> before the first drop. Ticks of the trace's clock.
    /// </summary>
    public long CutTime { get; private set; } = long.MinValue;

    /// <summary>Bytes of all pages allocated so far.</summary>
    public long AllocatedBytes => (long)_pages * PageBytes;

    /// <summary>Adds a log.</summary>
    /// <param name="owner">Notified before a chunk is dropped.</param>
    /// <param name="timed">
    /// Whether chunks are dropped by time; otherwise the owner drops them, or the memory when they fill half of it.
    /// </param>
    /// <param name="contiguous">Whether a chunk must lie in one page.</param>
    public CircularLog AddLog(ICircularOwner owner, bool timed, bool contiguous)
    {
        lock (Gate)
        {
            var log = new CircularLog(this, owner, timed, contiguous);
            _logs.Add(log);
            return log;
        }
    }

    /// <summary>Removes an empty log that receives no more chunks.</summary>
    public void Remove(CircularLog log)
    {
        lock (Gate)
            _logs.Remove(log);
    }

    /// <summary>Drops chunks until a log can append a chunk; false when the whole memory is too small for it.</summary>
    public bool Reserve(CircularLog log, int bytes)
    {
        while (log.PagesNeeded(bytes) > _maxPages - _pages + _free.Count)
        {
            if (!DropOldest())
                return false;
        }

        return true;
    }

    /// <summary>Moves the cut: everything up to this time was dropped or never stored.</summary>
    public void CutAt(long time)
    {
        if (time <= CutTime)
            return;
        CutTime = time;
        foreach (var log in _logs)
        {
            while (log.IsTimed && log.Chunks > 0 && log.HeadNewest <= CutTime)
                log.DropHead();
        }
    }

    /// <summary>Keeps the pages in a file from now on. Must be called before the first chunk.</summary>
    public void StoreIn(CircularFile file) => _file = file;

    /// <summary>Returns a page for new content.</summary>
    public CircularPage TakePage()
    {
        if (!_free.TryPop(out var page))
            page = new CircularPage((long)_pages++ * PageBytes);
        page.Bytes ??= TakeBuffer();
        page.IsStored = false;
        return page;
    }

    /// <summary>Takes back a page whose content was dropped.</summary>
    public void GiveBack(CircularPage page)
    {
        Release(page);
        _free.Push(page);
    }

    /// <summary>Moves a full page to the file, if there is one.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Unload(CircularPage page)
    {
        if (page is { IsStored: false, Bytes: { } bytes })
            _file?.Write(bytes, page.Offset);
        page.IsStored = _file is not null;
        Release(page);
    }

    /// <summary>Reads a page from the file, unless it is in memory.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public void Load(CircularPage page)
    {
        if (page.Bytes is not null)
            return;
        page.Bytes = TakeBuffer();
        _file!.Read(page.Bytes, page.Offset);
    }

    private byte[] TakeBuffer() => _buffers.TryPop(out var buffer) ? buffer : GC.AllocateUninitializedArray<byte>(PageBytes, pinned: true);

    private void Release(CircularPage page)
    {
        if (_file is null || page.Bytes is not { } buffer)
            return;
        _buffers.Push(buffer);
        page.Bytes = null;
    }

    private bool DropOldest()
    {
        CircularLog? oldest = null,
            largest = null;
        var untimedPages = 0;
        foreach (var log in _logs)
        {
            if (log.Chunks == 0)
                continue;
            if (log.IsTimed)
            {
                if (oldest is null || log.HeadNewest < oldest.HeadNewest)
                    oldest = log;
                continue;
            }

            untimedPages += log.Pages;
            if (largest is null || log.Pages > largest.Pages)
                largest = log;
        }

        if (oldest is null || untimedPages > _maxPages / 2)
        {
            largest?.DropHead();
            return largest is not null;
        }

        var time = oldest.HeadNewest;
        oldest.DropHead();
        CutAt(time);
        return true;
    }
}
