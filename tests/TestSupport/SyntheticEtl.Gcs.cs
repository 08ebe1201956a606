using System.Buffers.Binary;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>GCs and suspensions event by event, in the versions that .NET Framework 4.6 and later and every .NET (Core) write.</summary>
public sealed partial class SyntheticEtl
{
    /// <summary>A suspension: start, all threads stopped, restart, all threads running.</summary>
    public void SuspendedFor(int process, int thread, int reason, long begin, long suspended, long restarting, long restarted)
    {
        var payload = new byte[10];
        BinaryPrimitives.WriteInt32LittleEndian(payload, reason);
        Clr(begin, process, thread, 9, 1, payload);
        Clr(suspended, process, thread, 8, 1, new byte[2]);
        Clr(restarting, process, thread, 7, 1, new byte[2]);
        Clr(restarted, process, thread, 3, 1, new byte[2]);
    }

    /// <summary>A GC begins (event 1).</summary>
    public void GcStart(long at, int process, int thread, int number, int generation, int reason, int kind)
    {
        var payload = new byte[26];
        foreach (var (place, value) in ((int, int)[])[(0, number), (4, generation), (8, reason), (12, kind)])
            BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(place), value);
        Clr(at, process, thread, 1, 2, payload);
    }

    /// <summary>A GC ends (event 2).</summary>
    public void GcEnd(long at, int process, int thread, int number, int generation)
    {
        var payload = new byte[10];
        BinaryPrimitives.WriteInt32LittleEndian(payload, number);
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(4), generation);
        Clr(at, process, thread, 2, 1, payload);
    }
}
