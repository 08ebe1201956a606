using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>Why a session's rings were full, and what prevents it next time.</summary>
/// <param name="Reason">A clause after "because".</param>
/// <param name="Advice">The fix.</param>
internal readonly record struct LossCause(string Reason, string Advice)
{
    /// <summary>The cause of a session whose rings this process does not drain.</summary>
    public static LossCause Unknown { get; } = new("its buffers were full", "record fewer events");

    /// <summary>Finds the cause by what the draining thread spent most time on: waiting for a processor, or writing.</summary>
    public static LossCause Of(DrainStatistics drain)
    {
        var rings = $"its rings of {ByteSize.Format(drain.RingBytes)} per CPU were full";
        var larger = drain.RingBytes < PerfEventPlan.MaxRingBytes ? $"record with --buffer {ByteSize.Format(drain.RingBytes * 4L)}" : "";
        const string Fewer = "record fewer events (--no-switch-stacks, --no-stack-dump)";
        if (drain.Ready is not { } ready)
            return new(rings, larger.Length > 0 ? $"{larger}, or {Fewer}" : Fewer);

        // Time without a processor counts as draining, too, if it began while records were drained.
        var writing = drain.Draining - ready;
        return ready > writing
            ? new(
                FormattableString.Invariant($"{rings} while the recorder waited {ready.TotalSeconds:0.0} s for a processor"),
                Join(drain.Precedence == Precedence.HighestPriority ? "" : "run as root or with CAP_SYS_NICE", larger, Fewer)
            )
            : new(
                FormattableString.Invariant($"{rings} while the recorder wrote for {drain.Draining.TotalSeconds:0.0} s"),
                Join("record onto a faster disk (--out)", larger, Fewer)
            );
    }

    private static string Join(params string[] ways) => string.Join(", or ", ways.Where(way => way.Length > 0));
}
