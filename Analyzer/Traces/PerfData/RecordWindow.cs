using System.Buffers;
using System.Buffers.Binary;
using EtwSerializerProfiler.Naming;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// The part of a perf.data file in memory: bytes as read from the file, an entry for each undelivered record in them, and among these
/// the first <see cref="_ready"/> in their final order.
/// </summary>
internal sealed class RecordWindow : IDisposable
{
    private const int FirstBytes = 2 << 20;

    /// <summary>Maximum size of one read from the file.</summary>
    private const int ReadBytes = 1 << 20;

    /// <summary>Maximum number of retained records, so that entries of small records do not exceed their bytes.</summary>
    private const int MaxEntries = 1 << 20;

    /// <summary>The bytes of the records.</summary>
    private readonly RecordBytes _source;

    private readonly PerfEvent[] _events;
    private readonly Dictionary<ulong, int> _eventOfId = [];

    /// <summary>Whether the file ends before its data section.</summary>
    private readonly bool _isTruncated;

    private readonly bool _byTime;
    private readonly int _maxBytes;

    /// <summary>Bytes [0, _filled) are from the file, [0, _parsed) have entries or were delivered.</summary>
    private byte[] _bytes = [];

    /// <summary>Receives what must stay when the window moves.</summary>
    private byte[] _spare = [];

    private int _parsed;
    private int _filled;

    /// <summary>Position among all bytes of the byte at _filled (<see cref="RecordBytes.FileOffsetOf"/>).</summary>
    private long _position;

    /// <summary>Undelivered records in the window, and those delivered since it last moved.</summary>
    private readonly RecordEntries _entries = new();

    private int _next;
    private int _ready;

    /// <summary>Latest time seen, latest time at the last round mark, latest time delivered.</summary>
    private long _latest;
    private long _latestOfRound;
    private long _latestGiven;

    /// <summary>Last id that was looked up, because adjacent records usually have the same one.</summary>
    private ulong _lastId;
    private int _lastEvent;

    /// <summary>No more records are readable; those in the window must still be delivered.</summary>
    private bool _ended;

    public RecordWindow(SafeFileHandle file, string path, PerfDataHeader header, PerfReadOptions options)
    {
        _events = [.. header.Events];
        for (var index = 0; index < _events.Length; index++)
        {
            foreach (var id in _events[index].Ids)
                _eventOfId[id] = index;
        }

        var length = RandomAccess.GetLength(file);
        _position = header.DataOffset;
        var end = Math.Min(header.DataEnd, length);
        _isTruncated = header.DataEnd > length;
        _source = header.IsCompressed ? new UnpackedRecords(file, path, _position, end) : new PlainRecords(file, path, _position, end);
        _byTime = options.Order == PerfRecordOrder.Time;
        _maxBytes = Math.Max(options.WindowBytes, FirstBytes / 2);
    }

    public PerfDataDamage? Damage { get; private set; }

    public long LateRecords { get; private set; }

    public long UnknownSamples { get; private set; }

    /// <summary>Ends reading. Other readers reuse the bytes of its records.</summary>
    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_bytes);
        ArrayPool<byte>.Shared.Return(_spare);
        (_bytes, _spare) = ([], []);
        _source.Dispose();
    }

    public bool TryRead(out PerfRecord record)
    {
        while (_next >= _ready)
        {
            if (!Advance())
            {
                _source.EndProgress();
                record = default;
                return false;
            }
        }

        ref var entry = ref _entries[_next++];
        if (entry.Time < _latestGiven && entry.Time != 0 && _byTime)
            LateRecords++;
        _latestGiven = Math.Max(_latestGiven, entry.Time);
        record = new PerfRecord(_bytes.AsSpan(entry.At, entry.Length), _events[entry.Event], entry.Time, entry.FileOffset);
        return true;
    }

    /// <summary>Reads until records are ready; false at the end.</summary>
    private bool Advance()
    {
        // Callers that only need the header read no record.
        if (_bytes.Length == 0)
            Resize(FirstBytes);
        Compact();
        while (true)
        {
            switch (ParseOne())
            {
                case Step.Record when _entries.Count >= MaxEntries:
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
                case Step.NeedBytes when !_ended && !_byTime && _entries.Count > 0:
                    _ready = _entries.Count;
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
                    if (_entries.Count == 0)
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
        var offset = _source.FileOffsetOf(_position - left);
        if (size < SampleLayout.HeaderSize)
            return Broken(offset, $"a record of type {(int)type} has size {size}, less than its header");
        if (left < size)
            return Missing(left);

        var bytes = header[..size];
        switch (type)
        {
            case PerfRecordType.None:
                return Broken(offset, "a record of type 0: zeros or other data");
            case PerfRecordType.Compressed or PerfRecordType.Compressed2:
                return Broken(offset, "a compressed record, but the header names no compression");
            case PerfRecordType.AuxTrace when _source.HasAuxData:
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
        var at =
            type == PerfRecordType.Sample ? layout.Time
            : layout.TrailerTime < 0 ? SampleLayout.Absent
            : bytes.Length - layout.TrailerTime;
        var time = 0L;
        if (type < PerfRecordType.HeaderAttribute && at >= SampleLayout.HeaderSize && at + 8 <= bytes.Length)
        {
            time = BinaryPrimitives.ReadInt64LittleEndian(bytes[at..]);

            // ~0 is perf's value for "no time"; no clock reaches a negative time.
            if (time < 0)
                time = 0;
        }

        _latest = Math.Max(_latest, time);
        _entries.Add(new RecordEntry(time, offset, _parsed, (ushort)bytes.Length, (ushort)index));
    }

    /// <summary>
    /// Finds the event of a record by its id. Only a sample of an unknown event is unreadable; other records then belong to the first one.
    /// </summary>
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

    /// <summary>Skips AUX data, which follows its record and may exceed any window.</summary>
    private Step SkipAuxTrace(ReadOnlySpan<byte> bytes, long offset)
    {
        var length = bytes.Length < 16 ? ulong.MaxValue : BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]);
        _parsed += bytes.Length;
        var beyond = length > long.MaxValue ? long.MaxValue : (long)length - (_filled - _parsed);
        if (beyond <= 0)
        {
            _parsed += (int)length;
            return Step.Record;
        }

        if (!_source.TrySkip(beyond))
            return Broken(offset, $"AUX data of {Plural.Of((long)length, "byte")} exceeds the data section");
        _position += beyond;
        _filled = _parsed;
        return Step.Record;
    }

    private Step Missing(int left)
    {
        if (!_source.IsAtEnd)
            return Step.NeedBytes;
        if (_source.Problem.Length > 0)
            return Broken(_source.FileOffsetOf(_position), _source.Problem);
        if (left > 0)
            return Broken(_source.FileOffsetOf(_position - left), "the data ends inside a record");
        if (_isTruncated)
            return Broken(_source.FileOffsetOf(_position), "the file ends before its data section");
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
        var read = _source.Read(_bytes.AsSpan(_filled, Math.Min(_bytes.Length - _filled, ReadBytes)));
        _filled += read;
        _position += read;
    }

    /// <summary>
    /// Drops bytes without an entry (round marks, skipped records), and doubles the window if that is not enough; false when it has its
    /// maximum size and contains deliverable records instead.
    /// </summary>
    private bool MakeRoom()
    {
        Compact();
        if (_filled <= _bytes.Length / 2)
            return true;
        if (_bytes.Length >= _maxBytes && _entries.Count > 0)
            return false;
        Resize(_bytes.Length * 2);
        return true;
    }

    private void Resize(int length)
    {
        var (bytes, spare) = (_bytes, _spare);
        (_bytes, _spare) = (ArrayPool<byte>.Shared.Rent(length), ArrayPool<byte>.Shared.Rent(length));
        bytes.AsSpan(0, _filled).CopyTo(_bytes);
        ArrayPool<byte>.Shared.Return(bytes);
        ArrayPool<byte>.Shared.Return(spare);
    }

    /// <summary>Drops delivered records: moves the bytes of the other records, and unparsed ones, to the front.</summary>
    private void Compact()
    {
        var kept = 0;
        for (var index = _ready; index < _entries.Count; index++)
        {
            ref var entry = ref _entries[index];
            _bytes.AsSpan(entry.At, entry.Length).CopyTo(_spare.AsSpan(kept));
            entry.At = kept;
            kept += entry.Length;
        }

        var unparsed = _filled - _parsed;
        _bytes.AsSpan(_parsed, unparsed).CopyTo(_spare.AsSpan(kept));
        (_bytes, _spare) = (_spare, _bytes);
        _parsed = kept;
        _filled = kept + unparsed;
        _entries.RemoveFirst(_ready);
        _ready = _next = 0;
    }

    private bool ReleaseUpTo(long time)
    {
        _entries.Sort();
        _ready = _entries.CountUpTo(time);
        return _ready > 0;
    }

    private void Release(bool half)
    {
        if (_byTime)
            _entries.Sort();
        _ready = half ? (_entries.Count + 1) / 2 : _entries.Count;
    }

    private enum Step
    {
        /// <summary>A record was added or skipped.</summary>
        Record,

        /// <summary>A round mark was read.</summary>
        Round,

        /// <summary>More bytes of the file are needed.</summary>
        NeedBytes,

        /// <summary>The data ends here or is damaged.</summary>
        End,
    }
}
