using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// The part of a perf.data file that is in memory: bytes as read from the file, an entry for each record in them that was not given out yet, and of these
/// the first <see cref="_ready"/> in their final order.
/// </summary>
internal sealed class RecordWindow
{
    private const int FirstBytes = 2 << 20;

    /// <summary>Largest read from the file at once.</summary>
    private const int ReadBytes = 1 << 20;

    /// <summary>Most records kept back: small records must not make the entries larger than the bytes.</summary>
    private const int MostEntries = 1 << 20;

    private readonly SafeFileHandle _file;
    private readonly string _path;
    private readonly PerfEvent[] _events;
    private readonly Dictionary<ulong, int> _eventOfId = [];
    private readonly long _end;
    private readonly bool _truncated;
    private readonly bool _byTime;
    private readonly int _mostBytes;

    /// <summary>Bytes [0, _filled) are from the file, [0, _parsed) have entries or were given out.</summary>
    private byte[] _bytes = new byte[FirstBytes];

    /// <summary>Takes over what must stay when the window moves on.</summary>
    private byte[] _spare = new byte[FirstBytes];

    private int _parsed;
    private int _filled;

    /// <summary>File offset of the byte at _filled.</summary>
    private long _position;

    private Entry[] _entries = new Entry[4096];
    private Entry[] _merged = new Entry[4096];

    /// <summary>Where ascending runs of entries begin, for merging.</summary>
    private int[] _runs = new int[64];

    private int _count;
    private int _next;
    private int _ready;

    /// <summary>Latest time seen, latest time at the last round mark, latest time given out.</summary>
    private long _latest;
    private long _latestOfRound;
    private long _latestGiven;

    /// <summary>Last id that was looked up; neighbouring records mostly have the same one.</summary>
    private ulong _lastId;
    private int _lastEvent;

    /// <summary>No more records can be read; the ones in the window are still to be given out.</summary>
    private bool _ended;

    public RecordWindow(SafeFileHandle file, string path, PerfDataHeader header, PerfReadOptions options)
    {
        _file = file;
        _path = path;
        _events = [.. header.Events];
        for (var index = 0; index < _events.Length; index++)
        {
            foreach (var id in _events[index].Ids)
                _eventOfId[id] = index;
        }

        var length = RandomAccess.GetLength(file);
        _position = header.DataOffset;
        _end = Math.Min(header.DataEnd, length);
        _truncated = header.DataEnd > length;
        _byTime = options.Order == PerfRecordOrder.Time;
        _mostBytes = Math.Max(options.WindowBytes, FirstBytes / 2);
    }

    public PerfDataDamage? Damage { get; private set; }

    public long LateRecords { get; private set; }

    public long UnknownSamples { get; private set; }

    public bool TryRead(out PerfRecord record)
    {
        while (_next >= _ready)
        {
            if (!Advance())
            {
                record = default;
                return false;
            }
        }

        ref readonly var entry = ref _entries[_next++];
        if (entry.Time < _latestGiven && entry.Time != 0 && _byTime)
            LateRecords++;
        _latestGiven = Math.Max(_latestGiven, entry.Time);
        record = new PerfRecord(_bytes.AsSpan(entry.At, entry.Length), _events[entry.Event], entry.Time, entry.FileOffset);
        return true;
    }

    /// <summary>Reads on until records are ready; false at the end.</summary>
    private bool Advance()
    {
        Compact();
        while (true)
        {
            switch (ParseOne())
            {
                case Step.Record when _count >= MostEntries:
                    Release(half: true);
                    return true;
                case Step.Record:
                    continue;
                case Step.Round:
                    var complete = _latestOfRound;
                    _latestOfRound = _latest;
                    if (ReleaseUpTo(complete))
                        return true;
                    continue;
                case Step.NeedBytes when !_ended && !_byTime && _count > 0:
                    _ready = _count;
                    return true;
                case Step.NeedBytes when !_ended:
                    if (_filled == _bytes.Length && !MakeRoom())
                    {
                        Release(half: true);
                        return true;
                    }

                    Fill();
                    continue;
                default:
                    _ended = true;
                    if (_count == 0)
                        return false;
                    Release(half: false);
                    return true;
            }
        }
    }

    private Step ParseOne()
    {
        var left = _filled - _parsed;
        if (_ended)
            return Step.End;
        if (left < SampleLayout.HeaderSize)
            return Missing(left);
        var header = _bytes.AsSpan(_parsed);
        var type = (PerfRecordType)BinaryPrimitives.ReadInt32LittleEndian(header);
        int size = BinaryPrimitives.ReadUInt16LittleEndian(header[6..]);
        var offset = _position - left;
        if (size < SampleLayout.HeaderSize)
            return Broken(offset, $"a record of type {(int)type} has size {size}, less than its header");
        if (left < size)
            return Missing(left);

        var bytes = header[..size];
        switch (type)
        {
            case PerfRecordType.None:
                return Broken(offset, "a record of type 0: zeros, or no record");
            case PerfRecordType.Compressed or PerfRecordType.Compressed2:
                throw PerfDataHeader.Compressed(_path, offset);
            case PerfRecordType.AuxTrace:
                return SkipAuxTrace(bytes, offset);
            case PerfRecordType.FinishedRound when _byTime:
                _parsed += size;
                return Step.Round;
        }

        if (TryFindEvent(type, bytes, out var index))
            Add(type, bytes, offset, index);
        else
            UnknownSamples++;
        _parsed += size;
        return Step.Record;
    }

    private void Add(PerfRecordType type, ReadOnlySpan<byte> bytes, long offset, int index)
    {
        var layout = _events[index].Layout;
        var at = type == PerfRecordType.Sample ? layout.Time : layout.TrailerTime < 0 ? SampleLayout.Absent : bytes.Length - layout.TrailerTime;
        var time = 0L;
        if (type < PerfRecordType.HeaderAttribute && at >= SampleLayout.HeaderSize && at + 8 <= bytes.Length)
        {
            time = BinaryPrimitives.ReadInt64LittleEndian(bytes[at..]);

            // ~0 is how perf writes "no time"; no clock reaches a negative one.
            if (time < 0)
                time = 0;
        }

        if (_count == _entries.Length)
        {
            Array.Resize(ref _entries, _count * 2);
            _merged = new Entry[_count * 2];
        }

        _latest = Math.Max(_latest, time);
        _entries[_count++] = new Entry(time, offset, _parsed, (ushort)bytes.Length, (ushort)index);
    }

    /// <summary>The event of a record by the id in it. Only a sample of an unknown event cannot be read; other records then belong to the first one.</summary>
    private bool TryFindEvent(PerfRecordType type, ReadOnlySpan<byte> bytes, out int index)
    {
        index = 0;
        if (_events.Length == 1 || type >= PerfRecordType.HeaderAttribute)
            return true;
        var layout = _events[0].Layout;
        int at;
        if (type == PerfRecordType.Sample)
        {
            at = layout.Identifier >= 0 ? layout.Identifier : layout.Id;
        }
        else
        {
            var back = layout.TrailerIdentifier >= 0 ? layout.TrailerIdentifier : layout.TrailerId;
            at = back < 0 ? SampleLayout.Absent : bytes.Length - back;
        }

        if (at < SampleLayout.HeaderSize || at + 8 > bytes.Length)
            return type != PerfRecordType.Sample;
        var id = BinaryPrimitives.ReadUInt64LittleEndian(bytes[at..]);
        if (id != _lastId || id == 0)
        {
            if (!_eventOfId.TryGetValue(id, out var found))
                return type != PerfRecordType.Sample;
            _lastId = id;
            _lastEvent = found;
        }

        index = _lastEvent;
        return true;
    }

    /// <summary>AUX data follows its record and may be larger than any window.</summary>
    private Step SkipAuxTrace(ReadOnlySpan<byte> bytes, long offset)
    {
        var length = bytes.Length < 16 ? ulong.MaxValue : BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]);
        var after = offset + bytes.Length;
        if (length > (ulong)(_end - after))
            return Broken(offset, $"AUX data of {length} bytes reaches beyond the data section");
        after += (long)length;
        var inMemory = Math.Min(_position, after) - offset;
        _parsed += (int)inMemory;
        if (after > _position)
        {
            _position = after;
            _filled = _parsed;
        }

        return Step.Record;
    }

    private Step Missing(int left)
    {
        if (_position < _end)
            return Step.NeedBytes;
        if (left > 0)
            return Broken(_position - left, "the data ends inside a record");
        if (_truncated)
            return Broken(_position, "the file ends before its data section does");
        _ended = true;
        return Step.End;
    }

    private Step Broken(long offset, string reason)
    {
        Damage = new PerfDataDamage(offset, reason);
        _ended = true;
        return Step.End;
    }

    private void Fill()
    {
        var length = (int)Math.Min(Math.Min(_bytes.Length - _filled, ReadBytes), _end - _position);
        var read = RandomAccess.Read(_file, _bytes.AsSpan(_filled, length), _position);
        if (read == 0)
        {
            // The file became shorter while it was read.
            Broken(_position, "the file ends before its data section does");
            return;
        }

        _filled += read;
        _position += read;
    }

    /// <summary>
    /// Drops bytes without an entry (round marks, what was left out), and doubles the window if that is not enough; false when it is as large as it may be
    /// and holds records that can be given out instead.
    /// </summary>
    private bool MakeRoom()
    {
        Compact();
        if (_filled <= _bytes.Length / 2)
            return true;
        if (_bytes.Length >= _mostBytes && _count > 0)
            return false;
        Array.Resize(ref _bytes, _bytes.Length * 2);
        _spare = new byte[_bytes.Length];
        return true;
    }

    /// <summary>Drops what was given out: moves the bytes of the other records, and those not looked at yet, to the front.</summary>
    private void Compact()
    {
        var kept = 0;
        for (var index = _ready; index < _count; index++)
        {
            var entry = _entries[index];
            _bytes.AsSpan(entry.At, entry.Length).CopyTo(_spare.AsSpan(kept));
            _entries[index - _ready] = entry with { At = kept };
            kept += entry.Length;
        }

        var unparsed = _filled - _parsed;
        _bytes.AsSpan(_parsed, unparsed).CopyTo(_spare.AsSpan(kept));
        (_bytes, _spare) = (_spare, _bytes);
        _parsed = kept;
        _filled = kept + unparsed;
        _count -= _ready;
        _ready = _next = 0;
    }

    private bool ReleaseUpTo(long time)
    {
        Sort();
        var low = 0;
        var high = _count;
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (_entries[middle].Time <= time)
                low = middle + 1;
            else
                high = middle;
        }

        _ready = low;
        return low > 0;
    }

    private void Release(bool half)
    {
        if (_byTime)
            Sort();
        _ready = half ? (_count + 1) / 2 : _count;
    }

    /// <summary>
    /// Merges ascending runs pairwise. A run is what was read from one CPU's ring at once, so there are few of them; equal times keep their order.
    /// </summary>
    private void Sort()
    {
        var runs = 0;
        for (var index = 0; index < _count; index++)
        {
            if (index > 0 && _entries[index].Time >= _entries[index - 1].Time)
                continue;
            if (runs + 1 >= _runs.Length)
                Array.Resize(ref _runs, _runs.Length * 2);
            _runs[runs++] = index;
        }

        while (runs > 1)
        {
            _runs[runs] = _count;
            var merged = 0;
            for (var run = 0; run < runs; run += 2)
            {
                var middle = _runs[Math.Min(run + 1, runs)];
                var end = _runs[Math.Min(run + 2, runs)];
                Merge(_runs[run], middle, end);
                _runs[merged++] = _runs[run];
            }

            (_entries, _merged) = (_merged, _entries);
            runs = merged;
        }
    }

    private void Merge(int left, int middle, int end)
    {
        var right = middle;
        for (var to = left; to < end; to++)
            _merged[to] = right >= end || (left < middle && _entries[left].Time <= _entries[right].Time) ? _entries[left++] : _entries[right++];
    }

    private enum Step
    {
        /// <summary>A record was taken in or left out.</summary>
        Record,

        /// <summary>A round mark was read.</summary>
        Round,

        /// <summary>More of the file is needed.</summary>
        NeedBytes,

        /// <summary>The data ends here, or is damaged.</summary>
        End,
    }

    /// <summary>A record in the window.</summary>
    /// <param name="Time">Its time, 0 for none.</param>
    /// <param name="FileOffset">Its offset in the file.</param>
    /// <param name="At">Its place in the window's bytes.</param>
    /// <param name="Length">Its length.</param>
    /// <param name="Event">Number of its event.</param>
    [StructLayout(LayoutKind.Auto)]
    private readonly record struct Entry(long Time, long FileOffset, int At, ushort Length, ushort Event);
}
