using EtwSerializerProfiler.Traces.PerfData.Writing;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>
/// The ring of one CPU: a control page and a power of two of bytes that the kernel writes and the recorder reads. All events of the CPU
/// write to it.
/// </summary>
/// <param name="address">Address of the mapping.</param>
/// <param name="bytes">Size without the control page.</param>
internal sealed unsafe class PerfRing(nint address, int bytes) : IDisposable
{
    private nint _address = address;

    private byte* Data => (byte*)_address + Environment.SystemPageSize;

    /// <summary>Maps the ring of an event.</summary>
    /// <returns>Null with the error number when the system refuses that size.</returns>
    public static PerfRing? TryMap(int descriptor, int bytes, out int error)
    {
        var address = PerfNative.Map(descriptor, (nuint)(Environment.SystemPageSize + bytes));
        error = address == -1 ? System.Runtime.InteropServices.Marshal.GetLastPInvokeError() : 0;
        return address == -1 ? null : new PerfRing(address, bytes);
    }

    /// <summary>Moves the content of the ring to the sink, without allocating.</summary>
    /// <returns>Bytes moved.</returns>
    /// <exception cref="IOException">The file cannot be written.</exception>
    /// <exception cref="InvalidDataException">The ring is corrupt.</exception>
    public int Drain(IPerfRecordSink writer, RecordCounter counter)
    {
        // The kernel's head is read before the data, and our tail is written after it: acquire and release.
        var head = Volatile.Read(ref *(ulong*)(_address + PerfNative.DataHead));
        var tail = *(ulong*)(_address + PerfNative.DataTail);
        var count = (int)(head - tail);
        if (count == 0)
            return 0;
        var to = writer.GetBuffer(count);
        var start = (int)(tail & (ulong)(bytes - 1));
        var first = Math.Min(count, bytes - start);
        new ReadOnlySpan<byte>(Data + start, first).CopyTo(to);
        new ReadOnlySpan<byte>(Data, count - first).CopyTo(to[first..]);
        Volatile.Write(ref *(ulong*)(_address + PerfNative.DataTail), head);
        counter.Count(to);
        writer.Advance(count);
        return count;
    }

    public void Dispose()
    {
        if (_address != 0)
            _ = PerfNative.Unmap(_address, (nuint)(Environment.SystemPageSize + bytes));
        _address = 0;
    }
}
