using System.Diagnostics;
using EtwSerializerProfiler.Dumps.Files;
using EtwSerializerProfiler.Dumps.Heap;
using EtwSerializerProfiler.Dumps.Threads;

namespace EtwSerializerProfiler.Dumps.Roots;

/// <summary>
/// Finds what keeps objects alive. It follows references breadth-first from all roots at once (then from the stacks, whose values are less
/// certain), and records for each object which one reached it first. So each path is a shortest one, and one walk serves all samples.
/// </summary>
internal sealed class RootSearch(
    DumpSession session,
    IReadOnlyList<DumpThread> threads,
    RootTargets objects,
    DumpProgress progress,
    DumpStages stages
)
{
    /// <summary>Marks a number in <see cref="_parents"/> as that of a root.</summary>
    private const uint IsRoot = 0x8000_0000;

    /// <summary>Number of objects between two checks of clock and progress.</summary>
    private const int ProgressEvery = 1 << 12;

    /// <summary>Number of types shown at each end of a longer path.</summary>
    private const int ShownAtEnd = 6;

    private readonly List<Func<string>> _roots = [];
    private readonly Queue<ulong> _queue = new();

    /// <summary>
    /// For each object: 0 before it is found, then the number of its finder plus 1, or of its root with <see cref="IsRoot"/>.
    /// </summary>
    private uint[] _parents = [];

    /// <summary>Searches.</summary>
    /// <param name="heap">Types ordered by size.</param>
    /// <param name="query">Number of types, and time limit.</param>
    public RootResult Run(HeapResult heap, DumpQuery query)
    {
        objects.Seal();
        _parents = new uint[objects.Count];
        var wanted = heap.Types.Take(query.RootTypes).ToList();
        var byName = objects.Samples.ToLookup(item => item.Type.Name, item => item.Samples);
        var samples = wanted
            .Select(row =>
                (Row: row, Addresses: byName[row.Type].SelectMany(addresses => addresses).Take(RootTargets.SamplesPerType).ToList())
            )
            .ToList();
        var missing = samples.SelectMany(item => item.Addresses).ToHashSet();
        var watch = Stopwatch.StartNew();
        progress.Begin("roots", "objects", objects.Count);
        var reader = new RootReader(session, threads, objects, stages);
        var mayFollow = stages.Enter("roots: references");
        reader.ReadCertain(Add);
        stages.Enter("roots: references");
        var followed = mayFollow ? Follow(missing, watch, query.RootTime) : 0;
        if (_queue.Count == 0 && missing.Count > 0)
        {
            reader.ReadStacks(Add);
            followed += mayFollow ? Follow(missing, watch, query.RootTime) : 0;
        }

        progress.End();
        return new RootResult(
            [.. samples.SelectMany(item => Rows(item.Row, item.Addresses))],
            missing.Count == 0 || _queue.Count == 0,
            followed
        );

        void Add(ulong address, Func<string> root)
        {
            var number = objects.IndexOf(address);
            if (number < 0 || _parents[number] != 0)
                return;
            _parents[number] = IsRoot | (uint)_roots.Count;
            _roots.Add(root);
            missing.Remove(address);
            _queue.Enqueue(address);
        }
    }

    private long Follow(HashSet<ulong> missing, Stopwatch watch, TimeSpan limit)
    {
        var heap = session.Runtime.Heap;
        long followed = 0;
        while (missing.Count > 0 && _queue.TryDequeue(out var address))
        {
            if (++followed % ProgressEvery == 0)
            {
                progress.Advance(ProgressEvery);
                if (watch.Elapsed > limit)
                {
                    _queue.Enqueue(address); // not followed, because the search is incomplete
                    return followed;
                }
            }

            var item = heap.GetObject(address);
            if (item.Type is not { ContainsPointers: true })
                continue;
            var parent = (uint)objects.IndexOf(address) + 1;
            foreach (var reference in item.EnumerateReferenceAddresses(carefully: false, considerDependantHandles: true))
            {
                var number = objects.IndexOf(reference);
                if (number < 0 || _parents[number] != 0)
                    continue;
                _parents[number] = parent;
                missing.Remove(reference);
                _queue.Enqueue(reference);
            }
        }

        return followed;
    }

    private IEnumerable<RootRow> Rows(TypeRow type, List<ulong> samples) =>
        samples
            .Select(PathTo)
            .GroupBy(path => path is var (root, types, _) ? $"{root}\n{types}" : "", StringComparer.Ordinal)
            .OrderByDescending(group => group.Count())
            .Select(group =>
                group.First() is var (root, types, length)
                    ? new RootRow(type.Type, type.Bytes, group.Count(), root, types, length)
                    : new RootRow(type.Type, type.Bytes, group.Count(), null, null, null)
            );

    private (string Root, string Types, int Length)? PathTo(ulong address)
    {
        var number = objects.IndexOf(address);
        if (number < 0 || _parents[number] == 0)
            return null;
        var steps = new List<(string Type, int Count)>();
        var length = 0;
        while (true)
        {
            var type = session.Runtime.Heap.GetObjectType(objects.AddressOf(number))?.Name ?? "[unknown type]";
            length++;
            if (steps.Count > 0 && steps[^1].Type == type)
                steps[^1] = (type, steps[^1].Count + 1);
            else
                steps.Add((type, 1));
            if ((_parents[number] & IsRoot) != 0)
                break;
            number = (int)_parents[number] - 1;
        }

        steps.Reverse();
        var texts = steps.Select(step => step.Count > 1 ? FormattableString.Invariant($"{step.Type} × {step.Count}") : step.Type).ToList();
        if (texts.Count > 2 * ShownAtEnd)
            texts =
            [
                .. texts.Take(ShownAtEnd),
                FormattableString.Invariant($"({texts.Count - (2 * ShownAtEnd)} more)"),
                .. texts.TakeLast(ShownAtEnd),
            ];
        return (_roots[(int)(_parents[number] & ~IsRoot)](), string.Join(" → ", texts), length);
    }
}

/// <summary>What keeps objects of the largest types alive, from samples of the objects.</summary>
/// <param name="Rows">One row per type and path.</param>
/// <param name="IsComplete">
/// Whether everything alive was followed, or all samples were found; otherwise the time limit ended the search.
/// </param>
/// <param name="ObjectsFollowed">Number of objects whose references were followed.</param>
public sealed record RootResult(IReadOnlyList<RootRow> Rows, bool IsComplete, long ObjectsFollowed);

/// <summary>Sampled objects of a type with equal paths from a root.</summary>
/// <param name="Type">Full name of the type.</param>
/// <param name="Bytes">Bytes of all its objects.</param>
/// <param name="Samples">Number of sampled objects in the row.</param>
/// <param name="Root">
/// Start of the path: a static field, a thread's stack, a handle, the finalizer queue; null when no path was found.
/// </param>
/// <param name="Path">
/// Types on a shortest path from the root to the object, with equal neighbors combined and counted; null when no path was found.
/// </param>
/// <param name="Length">Number of objects on the path of the first sample, including the sample; null when no path was found.</param>
public sealed record RootRow(string Type, long Bytes, int Samples, string? Root, string? Path, int? Length);
