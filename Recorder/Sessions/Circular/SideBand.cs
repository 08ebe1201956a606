using System.Buffers.Binary;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>
/// The records before the cut that say what samples after it mean: names of threads (COMM), their parents (FORK) and mapped files (MMAP, MMAP2). Of
/// threads and processes that ended before the cut, and of what was overwritten before it, nothing is kept, so that it grows with what lives, not with time.
/// </summary>
/// <remarks>Layouts: linux/perf_event.h. Allocates only to grow.</remarks>
internal sealed class SideBand
{
    /// <summary>PERF_RECORD_MISC_COMM_EXEC: the process begins to run another program, its mappings are gone.</summary>
    private const int ExecBit = 0x2000;

    /// <summary>Process of the kernel's own mapping.</summary>
    private const int Kernel = -1;

    private byte[] _records = new byte[64 << 10];
    private int _filled;

    // Used by Compact only, kept so that it allocates nothing once they are large enough.
    private readonly Dictionary<int, (int Process, long Seen, long Ended)> _threads = [];
    private readonly HashSet<int> _liveProcesses = [];
    private readonly HashSet<int> _ended = [];
    private readonly HashSet<int> _neededThreads = [];
    private readonly HashSet<int> _neededProcesses = [];
    private readonly HashSet<int> _named = [];
    private readonly HashSet<int> _replaced = [];
    private readonly HashSet<(int Process, ulong Address, ulong Length)> _mapped = [];
    private readonly List<(int At, int Length)> _places = [];

    /// <summary>Takes a record that is about to be dropped; others than those above are passed by.</summary>
    public void Add(PerfRecordType type, ReadOnlySpan<byte> record)
    {
        var least = type switch
        {
            PerfRecordType.Comm => 16,
            PerfRecordType.Fork or PerfRecordType.Exit => 24,
            PerfRecordType.Mmap or PerfRecordType.Mmap2 => 40,
            _ => int.MaxValue,
        };
        if (record.Length < least)
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
    /// <exception cref="IOException">They cannot be written.</exception>
    public void WriteTo(PerfDataWriter writer)
    {
        Compact();
        for (var at = 0; at < _filled; at += LengthAt(at))
            writer.Write(_records.AsSpan(at, LengthAt(at)));
        writer.WriteFinishedRound();
    }

    /// <summary>Removes what no sample after the cut can need.</summary>
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
            // Backwards: what overwrites another record is seen before it. What is kept is gathered at the end of the buffer, then moved to its front.
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

    /// <summary>Records of different processors are not in order of time: the times say whether a thread began or ended last.</summary>
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

                // Without a name of its own it has its parent's; a process that runs no other program has its parent's mappings.
                if (!_named.Contains(thread))
                    _neededThreads.Add(Int32(at + 20));
                if (process != Int32(at + 12) && !_replaced.Contains(process))
                    _neededProcesses.Add(Int32(at + 12));
                return true;

            case PerfRecordType.Exit:
                return false;

            default:
                var isLiving = process == Kernel || _liveProcesses.Contains(process) || !_ended.Contains(process) || _neededProcesses.Contains(process);
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
