using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Dumps.Files;
using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Dumps.Heap;

/// <summary>
/// Walks the heap, object after object, and counts by type and generation. It reads the memory itself in large pieces: an object begins
/// with the pointer to its type's method table, followed by the length for arrays and strings; ClrMD's sizes of the type then give the
/// address of the next object. Each type is queried once.
/// </summary>
/// <param name="session">The dump.</param>
/// <param name="visitor">Receives objects that need a closer look; null for none.</param>
/// <param name="progress">Receives progress.</param>
internal sealed class HeapWalker(DumpSession session, IHeapVisitor? visitor, DumpProgress progress)
{
    /// <summary>The GC stores marks in the lowest bits of the pointer while it works.</summary>
    private const ulong MarkBits = 7;

    /// <summary>Flag of an object's header: the header contains no thin lock (BIT_SBLK_IS_HASH_OR_SYNCBLKINDEX of syncblk.h).</summary>
    private const uint IsNoThinLock = 0x0800_0000;

    /// <summary>Bits of a header with the thread of a thin lock, in any version of the runtime.</summary>
    private const uint ThinLockThread = 0xFFFF;

    /// <summary>Number of objects between two progress updates.</summary>
    private const int ProgressEvery = 1 << 16;

    private readonly HeapMemory _memory = new(session.Target.DataReader);
    private readonly Dictionary<ulong, HeapType> _types = [];
    private readonly HashSet<ulong> _noTypes = [];
    private readonly Dictionary<ulong, ulong> _contexts = [];
    private readonly int _pointer = session.Target.DataReader.PointerSize;
    private readonly long[] _segments = new long[HeapType.Generations];
    private readonly long?[] _committed = new long?[HeapType.Generations];
    private ulong _lastTable;
    private HeapType? _lastType;

    /// <summary>Number of places without the expected object, and skipped bytes.</summary>
    public (long Places, long Bytes) Damage { get; private set; }

    /// <summary>Receives all objects; null when root paths are not requested.</summary>
    public Roots.RootTargets? Targets { get; init; }

    /// <summary>Walks all segments.</summary>
    public void Walk()
    {
        var heap = session.Runtime.Heap;
        foreach (var context in heap.EnumerateAllocationContexts())
            _contexts[context.Start] = context.End;
        var segments = heap.Segments.OrderBy(segment => segment.Start).ToList();
        progress.Begin("heap", "bytes", segments.Sum(segment => (long)segment.Length));
        foreach (var segment in segments)
            Walk(segment);
        progress.End();
    }

    /// <summary>Returns the counts.</summary>
    public HeapResult Result()
    {
        var free = _types.Values.Where(type => type.IsFree).ToList();
        var rows = _types
            .Values.Where(type => !type.IsFree)
            .GroupBy(type => (type.Name, Module: Stacks.FrameReader.FileName(type.Type.Module.Name ?? "")))
            .Select(group => new TypeRow(group.Key.Name, group.Key.Module, Sum(group, type => type.Counts), Sum(group, type => type.Bytes)))
            .Where(row => row.Count > 0)
            .OrderByDescending(row => row.Bytes)
            .ThenBy(row => row.Type, StringComparer.Ordinal)
            .ToList();
        var generations = Enumerable
            .Range(0, HeapType.Generations)
            .Where(generation => _segments[generation] > 0)
            .Select(generation => new GenerationRow(
                (HeapGeneration)generation,
                (int)_segments[generation],
                _committed[generation],
                rows.Sum(row => row.Counts[generation]),
                rows.Sum(row => row.BytesByGeneration[generation]),
                free.Sum(type => type.Counts[generation]),
                free.Sum(type => type.Bytes[generation])
            ))
            .ToList();
        return new HeapResult(rows, generations)
        {
            DamagedPlaces = Damage.Places,
            UnreadBytes = Damage.Bytes,
            IsWalkable = session.Runtime.Heap.CanWalkHeap,
        };
    }

    private static long[] Sum(IEnumerable<HeapType> types, Func<HeapType, long[]> values) =>
        [.. Enumerable.Range(0, HeapType.Generations).Select(generation => types.Sum(type => values(type)[generation]))];

    private void Walk(ClrSegment segment)
    {
        CountSegment(segment);
        var (at, end) = (segment.FirstObjectAddress, segment.ObjectRange.End);
        if (at == 0)
            return;
        Targets?.Begin(segment.Start, end);
        var fixedGeneration = GenerationOf(segment.Kind);
        var alignment = _pointer == 8 || segment.Kind is GCSegmentKind.Large or GCSegmentKind.Pinned ? 7UL : 3UL;
        var minBytes = 3UL * (ulong)_pointer;
        var hasContexts = segment.Kind is not (GCSegmentKind.Large or GCSegmentKind.Pinned or GCSegmentKind.Frozen);
        var objects = 0;
        var counted = at;
        while (at < end)
        {
            if (hasContexts && _contexts.TryGetValue(at, out var behind) && behind >= at)
            {
                at = behind + ((minBytes + alignment) & ~alignment);
                continue;
            }

            if (!TryMeasure(at, out var type, out var size, out var header) || size > end - at)
            {
                at = Skip(at, end);
                continue;
            }

            size = Math.Max(size, minBytes); // an empty string
            var generation = fixedGeneration ?? GenerationOf(segment, at);
            type.Counts[generation]++;
            type.Bytes[generation] += (long)size;
            if (
                visitor is not null
                && (type.IsException || type.IsLock || ((header & ThinLockThread) != 0 && (header & IsNoThinLock) == 0))
            )
                visitor.OnObject(at, type, header);
            Targets?.OnObject(at, type);
            at += (size + alignment) & ~alignment;
            if (++objects % ProgressEvery != 0)
                continue;
            progress.Advance((long)(at - counted));
            counted = at;
        }

        progress.Advance((long)(end - Math.Min(counted, end)));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryMeasure(ulong at, out HeapType type, out ulong size, out uint header)
    {
        // Ordered by address, so that the window reads what it needs first.
        size = 0;
        type = null!;
        if (!_memory.TryRead(at - sizeof(uint), out header))
            header = 0; // the first object of a segment whose header is not in the dump
        ulong table;
        if (_pointer == 8 ? !_memory.TryRead(at, out table) : !TryReadNarrow(at, out table))
            return false;
        table &= ~MarkBits;
        if (table != _lastTable || _lastType is null)
        {
            if (TypeOf(table) is not { } found)
                return false;
            (_lastTable, _lastType) = (table, found);
        }

        type = _lastType;
        size = type.StaticSize;
        if (type.ComponentSize == 0)
            return true;
        if (!_memory.TryRead(at + (ulong)_pointer, out uint length))
            return false;
        size += (ulong)length * type.ComponentSize;
        return true;
    }

    private bool TryReadNarrow(ulong at, out ulong value)
    {
        var read = _memory.TryRead(at, out uint narrow);
        value = narrow;
        return read;
    }

    private HeapType? TypeOf(ulong table)
    {
        if (_types.TryGetValue(table, out var known))
            return known;
        if (table == 0 || _noTypes.Contains(table))
            return null;
        ClrType? type = null;
        try
        {
            type = session.Runtime.GetTypeByMethodTable(table);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException) // damaged memory can make ClrMD throw anything
        { }

        if (type is null || type.StaticSize <= 0)
        {
            _noTypes.Add(table);
            return null;
        }

        known = new HeapType(type);
        _types.Add(table, known);
        return known;
    }

    /// <summary>The next address at which an object of a known type begins.</summary>
    private ulong Skip(ulong at, ulong end)
    {
        var from = at;
        for (at += (ulong)_pointer; at < end; at += (ulong)_pointer)
        {
            if (!_memory.TryRead(at, out ulong table))
            {
                at = end; // not in the dump
                break;
            }

            if (_types.TryGetValue(_pointer == 8 ? table & ~MarkBits : (uint)table & ~MarkBits, out var type) && !type.IsFree)
                break;
        }

        Damage = (Damage.Places + 1, Damage.Bytes + (long)(Math.Min(at, end) - from));
        return at;
    }

    private void CountSegment(ClrSegment segment)
    {
        if (GenerationOf(segment.Kind) is { } generation)
        {
            _segments[generation]++;
            _committed[generation] = (_committed[generation] ?? 0) + (long)segment.CommittedMemory.Length;
            return;
        }

        // One segment for the young generations and a part of generation 2, as before .NET 7.
        foreach (
            var (range, part) in (ReadOnlySpan<(MemoryRange Range, int Part)>)
                [(segment.Generation0, 0), (segment.Generation1, 1), (segment.Generation2, 2)]
        )
        {
            if (range.Length > 0)
                _segments[part]++;
        }
    }

    private static int? GenerationOf(GCSegmentKind kind) =>
        kind switch
        {
            GCSegmentKind.Generation0 => (int)HeapGeneration.Gen0,
            GCSegmentKind.Generation1 => (int)HeapGeneration.Gen1,
            GCSegmentKind.Generation2 => (int)HeapGeneration.Gen2,
            GCSegmentKind.Large => (int)HeapGeneration.Loh,
            GCSegmentKind.Pinned => (int)HeapGeneration.Poh,
            GCSegmentKind.Frozen => (int)HeapGeneration.Frozen,
            _ => null,
        };

    private static int GenerationOf(ClrSegment segment, ulong address) =>
        segment.GetGeneration(address) switch
        {
            Generation.Generation0 => (int)HeapGeneration.Gen0,
            Generation.Generation1 => (int)HeapGeneration.Gen1,
            _ => (int)HeapGeneration.Gen2,
        };
}

/// <summary>Receives objects that need a closer look, ordered by address.</summary>
internal interface IHeapVisitor
{
    /// <summary>An exception, a lock, or an object whose header may contain a thin lock.</summary>
    /// <param name="address">Address of the object.</param>
    /// <param name="type">Its type.</param>
    /// <param name="header">The 32 bits before it.</param>
    void OnObject(ulong address, HeapType type, uint header);
}
