using System.Buffers;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Clr;

namespace EtwSerializerProfiler.Traces.NetTrace.Blocks;

/// <summary>Stacks between two sequence points by id; ids count up from the first one's.</summary>
/// <param name="pointerBytes">Size of an address in the file.</param>
internal sealed class StackTable(int pointerBytes) : IDisposable
{
    /// <summary>
    /// Number of addresses in a piece of memory: large enough for most stacks, small enough not to waste memory, nor to be on the large
    /// object heap.
    /// </summary>
    private const int PieceFrames = 1 << 13;

    /// <summary>
    /// Addresses, in pieces that never move, because one array would be copied as it grows. Pieces before <see cref="_piece"/> are full;
    /// each stack is in one piece. They are rented, because a recording has a file for each process.
    /// </summary>
    private readonly List<ulong[]> _pieces = [];

    /// <summary>Piece, position and length of each stack.</summary>
    private readonly List<(int Piece, int Start, int Length)> _stacks = [];

    /// <summary>Current piece, and its used part.</summary>
    private int _piece;
    private int _used;

    /// <summary>Id of the first stack.</summary>
    private int _first;

    /// <summary>Adds the stacks of a block.</summary>
    /// <returns>False when the block is damaged.</returns>
    public bool TryAdd(ReadOnlySpan<byte> block)
    {
        var reader = new PayloadReader(block);
        var (first, count) = (reader.Int32(), reader.Int32());
        if (_stacks.Count == 0)
            _first = first;
        if (!reader.Fits || first != _first + _stacks.Count)
            return false;
        for (var i = 0; i < count; i++)
        {
            var stack = reader.Bytes(reader.Int32());
            if (!reader.Fits)
                return false;
            var frames = Add(stack.Length / pointerBytes);
            if (pointerBytes == sizeof(ulong))
                MemoryMarshal.Cast<byte, ulong>(stack).CopyTo(frames);
            else
                Widen(MemoryMarshal.Cast<byte, uint>(stack), frames);
        }

        return true;
    }

    /// <summary>Clears the stacks at a sequence point.</summary>
    public void Clear()
    {
        _stacks.Clear();
        (_piece, _used) = (0, 0);
    }

    /// <summary>Addresses of a stack, leaf first; empty for an unknown id. Valid until the stacks are cleared.</summary>
    public ReadOnlySpan<ulong> Find(int id)
    {
        var index = id - _first;
        if (id == 0 || (uint)index >= (uint)_stacks.Count)
            return default;
        var (piece, start, length) = _stacks[index];
        return _pieces[piece].AsSpan(start, length);
    }

    /// <inheritdoc />
    public void Dispose()
    {
        Clear();
        foreach (var piece in _pieces)
            ArrayPool<ulong>.Shared.Return(piece);
        _pieces.Clear();
    }

    private Span<ulong> Add(int length)
    {
        while (_piece == _pieces.Count || _pieces[_piece].Length - _used < length)
        {
            if (_piece < _pieces.Count)
                (_piece, _used) = (_piece + 1, 0);
            if (_piece == _pieces.Count)
                _pieces.Add(ArrayPool<ulong>.Shared.Rent(Math.Max(PieceFrames, length)));
        }

        _stacks.Add((_piece, _used, length));
        _used += length;
        return _pieces[_piece].AsSpan(_used - length, length);
    }

    private static void Widen(ReadOnlySpan<uint> addresses, Span<ulong> frames)
    {
        for (var i = 0; i < frames.Length; i++)
            frames[i] = addresses[i];
    }
}
