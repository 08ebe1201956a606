using System.Buffers.Binary;
using System.Text;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>
/// Events that point to known issues: exceptions and waits for locks with their stacks, assemblies that were made or not found.
/// </summary>
public sealed partial class SyntheticEtl
{
    /// <summary>Kind of the next runs.</summary>
    public RunKind RunKind { get; set; } = RunKind.Measured;

    /// <summary>Threads of the next runs.</summary>
    public int RunThreads { get; set; } = 1;

    /// <summary>An exception is thrown (event 80); addresses leaf first.</summary>
    public void Throw(long at, int process, int thread, string type, string message, int hresult, params ulong[] stack)
    {
        var texts = Encoding.Unicode.GetBytes($"{type}\0{message}\0");
        var payload = new byte[texts.Length + 16];
        texts.CopyTo(payload, 0);
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(texts.Length + 8), hresult);
        Clr(at, process, thread, 80, 1, payload, stack);
    }

    /// <summary>
    /// A thread waits for a lock (events 81 and 91); addresses leaf first. As .NET Framework and .NET up to 6 write it: without lock and
    /// owner.
    /// </summary>
    public void Contention(long start, long stop, int process, int thread, params ulong[] stack)
    {
        Clr(start, process, thread, 81, 1, new byte[3], stack);
        Clr(stop, process, thread, 91, 1, new byte[3]);
    }

    /// <summary>The compilation of a method begins (event 145).</summary>
    public void JitStarted(long at, int process, int thread, long id, long module = 1)
    {
        var payload = new byte[24 + 6];
        BinaryPrimitives.WriteInt64LittleEndian(payload, id);
        BinaryPrimitives.WriteInt64LittleEndian(payload.AsSpan(8), module);
        Clr(at, process, thread, 145, 1, payload);
    }

    /// <summary>An assembly with one module is loaded, or created in memory.</summary>
    public void Assembly(long at, int process, int thread, long id, long module, string fullName, bool dynamic)
    {
        var modulePayload = new byte[24 + 4];
        BinaryPrimitives.WriteInt64LittleEndian(modulePayload, module);
        BinaryPrimitives.WriteInt64LittleEndian(modulePayload.AsSpan(8), id);
        BinaryPrimitives.WriteInt32LittleEndian(modulePayload.AsSpan(16), dynamic ? 4 : 0);
        Clr(at, process, thread, 152, 1, modulePayload);
        var payload = new byte[28 + (2 * fullName.Length) + 4];
        BinaryPrimitives.WriteInt64LittleEndian(payload, id);
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(24), dynamic ? 2 : 0);
        Encoding.Unicode.GetBytes(fullName, payload.AsSpan(28));
        Clr(at, process, thread, 154, 1, payload);
    }
}
