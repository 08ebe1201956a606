using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;
using EtwSerializerProfiler.Traces.NetTrace;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>A reusable buffer for the bytes of a block.</summary>
/// <param name="bytes">Initial size; it grows.</param>
internal sealed class BlockBuffer(int bytes)
{
    private byte[] _bytes = new byte[bytes];
    private int _count;

    /// <summary>The written bytes.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _count);

    public void Clear() => _count = 0;

    public void Byte(int value) => Take(1)[0] = (byte)value;

    public void UInt16(int value) => BinaryPrimitives.WriteUInt16LittleEndian(Take(sizeof(ushort)), (ushort)value);

    public void Int32(int value) => BinaryPrimitives.WriteInt32LittleEndian(Take(sizeof(int)), value);

    public void Int64(long value) => BinaryPrimitives.WriteInt64LittleEndian(Take(sizeof(long)), value);

    public void Guid(Guid value) => value.TryWriteBytes(Take(16));

    public void Variable(ulong value)
    {
        var written = VariableNumber.Write(Take(VariableNumber.MaxBytes), value);
        _count -= VariableNumber.MaxBytes - written;
    }

    /// <summary>UTF-8 preceded by its length as a variable-length number.</summary>
    public void Text(string value)
    {
        Variable((uint)Encoding.UTF8.GetByteCount(value));
        Encoding.UTF8.GetBytes(value, Take(Encoding.UTF8.GetByteCount(value)));
    }

    /// <summary>UTF-8 preceded by its length as u16; longer text is cut.</summary>
    public void SizedText(string value)
    {
        if (value.Length > ushort.MaxValue / 3)
            value = value[..(ushort.MaxValue / 3)];
        UInt16(Encoding.UTF8.GetByteCount(value));
        Encoding.UTF8.GetBytes(value, Take(Encoding.UTF8.GetByteCount(value)));
    }

    public void Bytes(ReadOnlySpan<byte> value) => value.CopyTo(Take(value.Length));

    private Span<byte> Take(int count)
    {
        if (_bytes.Length - _count < count)
            Array.Resize(ref _bytes, Math.Max(_count + count, 2 * _bytes.Length));
        _count += count;
        return _bytes.AsSpan(_count - count, count);
    }
}

/// <summary>Numbers the distinct stacks between two sequence points.</summary>
internal sealed class StackInterner
{
    /// <summary>8 MB of addresses, which a reader must keep, too.</summary>
    private const int MaxFrames = 1 << 20;

    private readonly Dictionary<int, int> _byHash = [];
    private readonly List<ulong> _frames = [];

    /// <summary>By number - 1: end of the stack in <see cref="_frames"/>, and the previous stack with the same hash.</summary>
    private readonly List<(int End, int Before)> _stacks = [];
    private readonly BlockBuffer _pending = new(256 << 10);

    /// <summary>Whether a sequence point is due.</summary>
    public bool IsFull => _frames.Count > MaxFrames;

    /// <summary>Number of the first unwritten stack.</summary>
    public int FirstPending { get; private set; } = 1;

    /// <summary>Number of unwritten stacks.</summary>
    public int PendingCount => _stacks.Count + 1 - FirstPending;

    /// <summary>Size of the unwritten stacks in bytes.</summary>
    public int PendingBytes => PendingCount == 0 ? 0 : _pending.Written.Length;

    /// <summary>The number of a stack; 0 for an empty one.</summary>
    public int GetOrAdd(ReadOnlySpan<ulong> frames)
    {
        if (frames.IsEmpty)
            return 0;
        var bytes = MemoryMarshal.AsBytes(frames);
        var hash = new HashCode();
        hash.AddBytes(bytes);
        ref var last = ref CollectionsMarshal.GetValueRefOrAddDefault(_byHash, hash.ToHashCode(), out _);
        for (var number = last; number > 0; number = _stacks[number - 1].Before)
        {
            if (Frames(number).SequenceEqual(frames))
                return number;
        }

        if (PendingCount == 0)
            _pending.Clear();
        _frames.AddRange(frames);
        _stacks.Add((_frames.Count, last));
        _pending.Int32(bytes.Length);
        _pending.Bytes(bytes);
        return last = _stacks.Count;
    }

    /// <summary>The unwritten stacks, each preceded by its size; valid until the next is added.</summary>
    public ReadOnlySpan<byte> TakePending()
    {
        FirstPending = _stacks.Count + 1;
        return _pending.Written;
    }

    /// <summary>Removes all.</summary>
    public void Clear()
    {
        _byHash.Clear();
        _frames.Clear();
        _stacks.Clear();
        _pending.Clear();
        FirstPending = 1;
    }

    private ReadOnlySpan<ulong> Frames(int number)
    {
        var start = number == 1 ? 0 : _stacks[number - 2].End;
        return CollectionsMarshal.AsSpan(_frames)[start.._stacks[number - 1].End];
    }
}
