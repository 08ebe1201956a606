using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Clr;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>The stacks between two sequence points, by their numbers, which count up from the first one's.</summary>
/// <param name="pointerBytes">Size of an address in the file.</param>
internal sealed class StackTable(int pointerBytes)
{
    /// <summary>Addresses of all stacks, one stack after the other.</summary>
    private readonly List<ulong> _frames = [];

    /// <summary>For each stack where it ends in <see cref="_frames"/>; it begins where the one before it ends.</summary>
    private readonly List<int> _ends = [];

    /// <summary>Number of the first stack.</summary>
    private int _first;

    /// <summary>Adds the stacks of a block.</summary>
    /// <returns>False when the block is damaged.</returns>
    public bool TryAdd(ReadOnlySpan<byte> block)
    {
        var reader = new PayloadReader(block);
        var (first, count) = (reader.Int32(), reader.Int32());
        if (_ends.Count == 0)
            _first = first;
        if (!reader.Fits || first != _first + _ends.Count)
            return false;
        for (var i = 0; i < count; i++)
        {
            var stack = reader.Bytes(reader.Int32());
            if (!reader.Fits)
                return false;
            if (pointerBytes == sizeof(ulong))
                _frames.AddRange(MemoryMarshal.Cast<byte, ulong>(stack));
            else
                AddNarrow(MemoryMarshal.Cast<byte, uint>(stack));
            _ends.Add(_frames.Count);
        }

        return true;
    }

    /// <summary>Forgets all: a sequence point.</summary>
    public void Clear()
    {
        _frames.Clear();
        _ends.Clear();
    }

    /// <summary>Addresses of a stack, leaf first; empty for an unknown number. Valid until stacks are added.</summary>
    public ReadOnlySpan<ulong> Find(int id)
    {
        var index = id - _first;
        if (id == 0 || (uint)index >= (uint)_ends.Count)
            return default;
        var start = index == 0 ? 0 : _ends[index - 1];
        return CollectionsMarshal.AsSpan(_frames)[start.._ends[index]];
    }

    private void AddNarrow(ReadOnlySpan<uint> addresses)
    {
        foreach (var address in addresses)
            _frames.Add(address);
    }
}
