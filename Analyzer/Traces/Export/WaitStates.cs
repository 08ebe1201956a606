using EtwSerializerProfiler.Traces.PerfData.Tracepoints;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>Converts Linux' reasons of switch-outs to Windows' states.</summary>
internal static class WaitStates
{
    // KWAIT_REASON.
    private const byte Executive = 0;
    private const byte Suspended = 5;
    private const byte UserRequest = 6;
    private const byte WrPreempted = 32;

    /// <summary>KWAIT_REASON of a thread that has ended.</summary>
    public const byte Terminated = 22;

    /// <summary>Bits of TASK_* states (include/linux/sched.h): uninterruptible sleep; stopped or traced.</summary>
    private const long Uninterruptible = 0x2;
    private const long Stopped = 0x4 | 0x8;

    /// <summary>KTHREAD_STATE and KWAIT_REASON of an outgoing thread.</summary>
    /// <param name="isPreempted">Whether it was preempted.</param>
    /// <param name="previousState">TASK_* bits; null when not recorded.</param>
    public static (byte State, byte Reason) Of(bool isPreempted, long? previousState)
    {
        if (isPreempted)
            return (KernelEvents.Ready, WrPreempted);
        var bits = previousState is { } state && !SchedSwitchLayout.IsPreempted(state) ? state : 0;
        return (
            KernelEvents.Waiting,
            (bits & Stopped) != 0 ? Suspended
            : (bits & Uninterruptible) != 0 ? Executive
            : UserRequest
        );
    }
}
