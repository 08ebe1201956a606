using System.Buffers.Binary;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Writing;

namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>
/// The records before the cut that later samples depend on: thread names (COMM), parents (FORK) and mapped files (MMAP, MMAP2). Records of
/// threads and processes that ended before the cut, and overwritten records, are dropped. So the size depends on the number of live
/// threads, not on the recording's length.
/// </summary>
/// <remarks>Layouts: linux/perf_event.h. Allocates only to grow.</remarks>
internal sealed class SideBand
{
    /// <summary>PERF_RECORD_MISC_COMM_EXEC: the process starts another program and loses its mappings.</summary>
    private const int ExecBit = 0x2000;

    /// <summary>Process id of the kernel's own mapping.</summary>
    private const int Kernel = -1;

    private byte[] _records = new byte[64 << 10];
    private int _filled;

    // Used only by Compact; kept so that it allocates nothing once they are large enough.
    private readonly Dictionary<int, (int Process, long Seen, long Ended)> _threads = [];
    private readonly HashSet<int> _liveProcesses = [];
    private readonly HashSet<int> _ended = [];
    private readonly HashSet<int> _neededThreads = [];
    private readonly HashSet<int> _neededProcesses = [];
    private readonly HashSet<int> _named = [];
    private readonly HashSet<int> _replaced = [];
    private readonly HashSet<(int Process, ulong Address, ulong Length)> _mapped = [];
    private readonly List<(int At, int Length)> _places = [];

    /// <summary>Accepts a record that is about to be dropped; ignores types other than those above.</summary>
    public void Add(PerfRecordType type, ReadOnlySpan<byte> record)
    {
        var min = type switch
        {
            PerfRecordType.Comm => 16,
            PerfRecordType.Fork or PerfRecordType.Exit => 24,
            PerfRecordType.Mmap or PerfRecordType.Mmap2 => 40,
            _ => int.MaxValue,
        };
        if (record.Length < min)
            return;
        if (_records.Length - _filled < record.Length)
        {
            Compact();
            if (_filled > _records.Length / 2)
                Array.Resize(ref _records, 2 * _records.Length);
        }

        record.CopyTo(_records.AsSpan(_filled));
        _filled += record.Length;
    }

    /// <summary>Writes the records, followed by a round mark.</summary>
    /// <exception cref="IOException">The output cannot be written.</exception>
    public void WriteTo(PerfDataWriter writer)
    {
        Compact();
        for (var at = 0; at < _filled; at += LengthAt(at))
            writer.Write(_records.AsSpan(at, LengthAt(at)));
        writer.WriteFinishedRound();
    }

    /// <summary>Removes records that no sample after the cut can need.</summary>
    private void Compact()
    {
        FindLiving();
        _neededThreads.Clear();
        _neededProcesses.Clear();
        _named.Clear();
        _replaced.Clear();
        _mapped.Clear();
        var kept = _filled;
        for (var index = _places.Count - 1; index >= 0; index--)
        {
            // Backwards, so that a record is seen before the one that it overwrites. Kept records are collected at the end of the buffer,
            // then moved to its front.
            var (at, length) = _places[index];
            if (!IsNeeded(at))
                continue;
            kept -= length;
            _records.AsSpan(at, length).CopyTo(_records.AsSpan(kept));
        }

        _records.AsSpan(kept, _filled - kept).CopyTo(_records);
        _filled -= kept;
    }

    private void FindLiving()
    {
        _threads.Clear();
        _liveProcesses.Clear();
        _ended.Clear();
        _places.Clear();
        for (var at = 0; at < _filled; at += LengthAt(at))
        {
            _places.Add((at, LengthAt(at)));
            switch (TypeAt(at))
            {
                case PerfRecordType.Comm:
                    Note(Int32(at + 12), Int32(at + 8), seen: TimeAt(at), ended: long.MinValue);
                    break;
                case PerfRecordType.Fork:
                    Note(Int32(at + 16), Int32(at + 8), seen: TimeAt(at), ended: long.MinValue);
                    break;
                case PerfRecordType.Exit:
                    Note(Int32(at + 16), Int32(at + 8), seen: long.MinValue, ended: TimeAt(at));
                    _ended.Add(Int32(at + 8));
                    break;
            }
        }

        foreach (var (process, seen, ended) in _threads.Values)
        {
            if (seen > ended)
                _liveProcesses.Add(process);
        }
    }

    /// <summary>
    /// Records of different processors are not ordered by time, so the times decide whether a thread began or ended last.
    /// </summary>
    private void Note(int thread, int process, long seen, long ended)
    {
        ref var entry = ref CollectionsMarshal.GetValueRefOrAddDefault(_threads, thread, out var exists);
        entry = exists ? (process, Math.Max(entry.Seen, seen), Math.Max(entry.Ended, ended)) : (process, seen, ended);
    }

    private bool IsNeeded(int at)
    {
        var process = Int32(at + 8);
        switch (TypeAt(at))
        {
            case PerfRecordType.Comm:
                var thread = Int32(at + 12);
                var isExec = (BinaryPrimitives.ReadUInt16LittleEndian(_records.AsSpan(at + 4)) & ExecBit) != 0;
                var isNeeded = IsThreadNeeded(thread) && _named.Add(thread);
                if (isExec)
                    _replaced.Add(process);
                return isNeeded;

            case PerfRecordType.Fork:
                thread = Int32(at + 16);
                if (!IsThreadNeeded(thread) || (!IsLiving(thread) && _named.Contains(thread)))
                    return false;

                // A process without its own name has its parent's; a process that starts no other program has its parent's mappings.
                if (!_named.Contains(thread))
                    _neededThreads.Add(Int32(at + 20));
                if (process != Int32(at + 12) && !_replaced.Contains(process))
                    _neededProcesses.Add(Int32(at + 12));
                return true;

            case PerfRecordType.Exit:
                return false;

            default:
                var isLiving =
                    process == Kernel
                    || _liveProcesses.Contains(process)
                    || !_ended.Contains(process)
                    || _neededProcesses.Contains(process);
                return isLiving && !_replaced.Contains(process) && _mapped.Add((process, UInt64(at + 16), UInt64(at + 24)));
        }
    }

    private bool IsThreadNeeded(int thread) => IsLiving(thread) || _neededThreads.Contains(thread);

    private bool IsLiving(int thread) => _threads.TryGetValue(thread, out var known) && known.Seen > known.Ended;

    private PerfRecordType TypeAt(int at) => (PerfRecordType)Int32(at);

    private int LengthAt(int at) => BinaryPrimitives.ReadUInt16LittleEndian(_records.AsSpan(at + 6));

    /// <summary>Every record ends with TID, TIME, CPU and IDENTIFIER, 8 bytes each.</summary>
    private long TimeAt(int at) => BinaryPrimitives.ReadInt64LittleEndian(_records.AsSpan(at + LengthAt(at) - 24));

    private int Int32(int at) => BinaryPrimitives.ReadInt32LittleEndian(_records.AsSpan(at));

    private ulong UInt64(int at) => BinaryPrimitives.ReadUInt64LittleEndian(_records.AsSpan(at));
}
