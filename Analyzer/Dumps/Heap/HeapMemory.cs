using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Dumps.Heap;

/// <summary>A window on the memory of a dump that moves upwards, so that the heap is read in large pieces, each once.</summary>
/// <param name="reader">The dump's memory.</param>
internal sealed class HeapMemory(IMemoryReader reader)
{
    private const int WindowBytes = 1 << 20;

    private readonly byte[] _window = new byte[WindowBytes];
    private ulong _start;
    private int _length;

    /// <summary>Reads a value.</summary>
    /// <returns>False when the dump does not contain the memory.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryRead<T>(ulong address, out T value)
        where T : unmanaged
    {
        if (address - _start + (ulong)Unsafe.SizeOf<T>() <= (ulong)_length && address >= _start)
        {
            value = MemoryMarshal.Read<T>(_window.AsSpan((int)(address - _start)));
            return true;
        }

        return Move(address, out value);
    }

    private bool Move<T>(ulong address, out T value)
        where T : unmanaged
    {
        _start = address;
        _length = Math.Max(0, reader.Read(address, _window));
        if (_length >= Unsafe.SizeOf<T>())
        {
            value = MemoryMarshal.Read<T>(_window);
            return true;
        }

        _length = 0;
        value = default;
        return false;
    }
}
