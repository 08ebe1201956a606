using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Converts a sample's call chain, which has markers between its parts, to frames; one buffer serves a whole pass.</summary>
internal sealed class FrameBuffer
{
    private ulong[] _frames = new ulong[256];

    /// <summary>Returns the sample in the event model; valid until the next one is read.</summary>
    /// <param name="sample">The sample.</param>
    /// <param name="thread">Its thread (<see cref="EndedThreads"/>).</param>
    public CpuSample Read(in PerfSample sample, int thread)
    {
        var chain = sample.CallChain;
        if (_frames.Length < chain.Length + 2)
            _frames = new ulong[chain.Length + 2];
        var count = 0;
        var kernel = 0;
        var part = sample.IsKernelMode ? PerfContext.Kernel : PerfContext.User;
        foreach (var entry in chain)
        {
            if (PerfContext.IsMarker(entry))
            {
                part = entry;
                continue;
            }

            // A chain without the kernel's frames lacks the current instruction.
            if (count == 0 && sample.IsKernelMode && part == PerfContext.User && sample.Ip != 0)
            {
                _frames[0] = sample.Ip;
                kernel = count = 1;
            }

            if (part == PerfContext.Kernel)
                kernel = count + 1;
            _frames[count++] = entry;
        }

        if (count == 0 && sample.Ip != 0)
        {
            _frames[count++] = sample.Ip;
            kernel = sample.IsKernelMode ? 1 : 0;
        }

        // With a copy of the stack, the kernel follows no frame pointers (perf record --call-graph dwarf): the program's frames begin with
        // the registers.
        var dump = UserRegisterSet.Read(sample);
        if (dump.Instruction != 0 && count == kernel)
            _frames[count++] = dump.Instruction;

        return new CpuSample(
            new EventAt(sample.Time, sample.ProcessId, thread),
            sample.CpuTicks,
            sample.IsKernelMode,
            _frames.AsSpan(0, count),
            kernel
        )
        {
            Dump = dump,
        };
    }
}

/// <summary>
/// Markers in a call chain: entries that describe the following addresses (enum perf_callchain_context, linux/perf_event.h).
/// </summary>
public static class PerfContext
{
    /// <summary>Hypervisor addresses follow.</summary>
    public const ulong Hypervisor = unchecked((ulong)-32L);

    /// <summary>Kernel addresses follow.</summary>
    public const ulong Kernel = unchecked((ulong)-128L);

    /// <summary>User addresses follow.</summary>
    public const ulong User = unchecked((ulong)-512L);

    /// <summary>Minimum of all markers.</summary>
    private const ulong First = unchecked((ulong)-4095L);

    /// <summary>Whether an entry is a marker instead of an address.</summary>
    public static bool IsMarker(ulong entry) => entry >= First;
}
