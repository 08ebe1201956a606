namespace EtwSerializerProfiler.Traces.NetTrace.Universal;

/// <summary>The kernel's functions named in a trace of a machine.</summary>
internal sealed class KernelNames
{
    /// <summary>First address of a 64-bit kernel, on x64 and arm64.</summary>
    private const ulong FirstAddress = 0xFFFF_0000_0000_0000;

    /// <summary>
    /// Linux functions that preempt a thread: at the end of an interrupt or a system call, or at a preemption point of the kernel.
    /// </summary>
    private static readonly byte[][] s_preempting =
    [
        "irqentry_exit"u8.ToArray(),
        "raw_irqentry_exit"u8.ToArray(),
        "exit_to_user_mode"u8.ToArray(),
        "preempt_schedule"u8.ToArray(),
        "__cond_resched"u8.ToArray(),
        "el0_interrupt"u8.ToArray(),
        "el1_interrupt"u8.ToArray(),
        "do_notify_resume"u8.ToArray(),
    ];

    /// <summary>Address ranges of functions that preempt threads.</summary>
    private readonly List<(ulong Start, ulong Last)> _preempting = [];

    public void Add(in UniversalSymbol function)
    {
        foreach (var start in s_preempting)
        {
            if (function.Name.StartsWith(start) && !_preempting.Contains((function.Start, function.Last)))
                _preempting.Add((function.Start, function.Last));
        }
    }

    /// <summary>Number of leading kernel frames of a stack.</summary>
    public static int FramesOf(ReadOnlySpan<ulong> stack)
    {
        var frames = 0;
        while (frames < stack.Length && stack[frames] >= FirstAddress)
            frames++;
        return frames;
    }

    /// <summary>Whether a thread with this stack was preempted: switched out although it could run.</summary>
    public bool IsPreempted(ReadOnlySpan<ulong> stack)
    {
        foreach (var address in stack[..FramesOf(stack)])
        {
            foreach (var (start, last) in _preempting)
            {
                if (address >= start && address <= last)
                    return true;
            }
        }

        return false;
    }
}
