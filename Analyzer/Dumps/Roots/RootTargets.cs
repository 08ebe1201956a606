using System.Numerics;
using EtwSerializerProfiler.Dumps.Heap;

namespace EtwSerializerProfiler.Dumps.Roots;

/// <summary>
/// The objects of the heap as one bit per possible start address, and a few samples of each type (reservoir sampling: equal probability).
/// An object's number is the count of bits before it, so that data about ten million objects fits into an array.
/// </summary>
internal sealed class RootTargets
{
    /// <summary>Number of samples per type.</summary>
    public const int SamplesPerType = 5;

    /// <summary>Number of words of bits that are counted together.</summary>
    private const int BlockWords = 8;

    /// <summary>Alignment of objects on any processor.</summary>
    private const int Alignment = 4;

    private readonly List<Segment> _segments = [];
    private readonly Dictionary<HeapType, (long Seen, List<ulong> Samples)> _samples = [];
    private readonly Random _random = new(1); // a fixed seed, for the same samples each time
    private Segment? _current;

    /// <summary>Number of objects.</summary>
    public int Count { get; private set; }

    /// <summary>Samples by type.</summary>
    public IEnumerable<(HeapType Type, IReadOnlyList<ulong> Samples)> Samples =>
        _samples.Select(item => (item.Key, (IReadOnlyList<ulong>)item.Value.Samples));

    /// <summary>Begins a segment; segments must come in order of address.</summary>
    public void Begin(ulong start, ulong end) =>
        _segments.Add(_current = new Segment(start, end, new ulong[((end - start) / Alignment / 64) + 1]));

    /// <summary>Adds an object of the segment.</summary>
    public void OnObject(ulong address, HeapType type)
    {
        var bit = (address - _current!.Start) / Alignment;
        _current.Bits[bit >> 6] |= 1UL << (int)(bit & 63);
        if (type.IsFree)
            return;
        var (seen, samples) = _samples.TryGetValue(type, out var known) ? known : (0, new List<ulong>(SamplesPerType));
        if (samples.Count < SamplesPerType)
            samples.Add(address);
        else if (_random.NextInt64(seen + 1) is < SamplesPerType and var place)
            samples[(int)place] = address;
        _samples[type] = (seen + 1, samples);
    }

    /// <summary>Counts the bits; no more objects can be added.</summary>
    public void Seal()
    {
        var count = 0;
        foreach (var segment in _segments)
        {
            segment.First = count;
            segment.Blocks = new int[(segment.Bits.Length + BlockWords - 1) / BlockWords];
            for (var word = 0; word < segment.Bits.Length; word++)
            {
                if (word % BlockWords == 0)
                    segment.Blocks[word / BlockWords] = count;
                count += BitOperations.PopCount(segment.Bits[word]);
            }
        }

        Count = count;
    }

    /// <summary>Number of the object at an address, from 0; -1 when no object begins there.</summary>
    public int IndexOf(ulong address)
    {
        if (SegmentOf(address) is not { } segment || (address - segment.Start) % Alignment != 0)
            return -1;
        var bit = (address - segment.Start) / Alignment;
        var word = (int)(bit >> 6);
        var mask = 1UL << (int)(bit & 63);
        if ((segment.Bits[word] & mask) == 0)
            return -1;
        var number = segment.Blocks[word / BlockWords];
        for (var before = word / BlockWords * BlockWords; before < word; before++)
            number += BitOperations.PopCount(segment.Bits[before]);
        return number + BitOperations.PopCount(segment.Bits[word] & (mask - 1));
    }

    /// <summary>Address of the object with a number.</summary>
    public ulong AddressOf(int number)
    {
        var segment = _segments.FindLast(item => item.First <= number && item.Blocks.Length > 0)!;
        var block = Array.BinarySearch(segment.Blocks, number);
        block = block < 0 ? ~block - 1 : block;
        while (block + 1 < segment.Blocks.Length && segment.Blocks[block + 1] == segment.Blocks[block])
            block++; // blocks without objects
        var left = number - segment.Blocks[block];
        for (var word = block * BlockWords; word < segment.Bits.Length; word++)
        {
            var bits = segment.Bits[word];
            var inWord = BitOperations.PopCount(bits);
            if (left >= inWord)
            {
                left -= inWord;
                continue;
            }

            for (; left > 0; left--)
                bits &= bits - 1;
            return segment.Start + ((((ulong)word * 64) + (ulong)BitOperations.TrailingZeroCount(bits)) * Alignment);
        }

        throw new InvalidOperationException("no object has that number");
    }

    private Segment? SegmentOf(ulong address)
    {
        var (low, high) = (0, _segments.Count - 1);
        while (low <= high)
        {
            var middle = (low + high) / 2;
            var segment = _segments[middle];
            if (address < segment.Start)
                high = middle - 1;
            else if (address >= segment.End)
                low = middle + 1;
            else
                return segment;
        }

        return null;
    }

    private sealed class Segment(ulong start, ulong end, ulong[] bits)
    {
        public ulong Start { get; } = start;

        public ulong End { get; } = end;

        public ulong[] Bits { get; } = bits;

        /// <summary>Number of objects in earlier segments.</summary>
        public int First { get; set; }

        /// <summary>Number of objects before each block, including those in earlier segments.</summary>
        public int[] Blocks { get; set; } = [];
    }
}
