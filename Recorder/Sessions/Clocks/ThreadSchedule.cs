using System.Buffers.Text;

namespace EtwSerializerProfiler.Sessions.Clocks;

/// <summary>What <c>/proc/PID/task/TID/schedstat</c> says of a thread (Documentation/scheduler/sched-stats.rst): three numbers with spaces between them. Anybody may read it.</summary>
/// <param name="Cpu">Its CPU time in ns; stands still while it runs.</param>
/// <param name="Ready">Its ready time in ns, up to when it came to a processor last.</param>
/// <param name="Slices">How often it came to a processor.</param>
internal readonly record struct ThreadSchedule(long Cpu, long Ready, long Slices)
{
    /// <summary>Longest text, with its line end.</summary>
    public const int MaxText = 96;

    /// <summary>Reads the text; false when it is none, because the thread has ended.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out ThreadSchedule schedule)
    {
        schedule = default;
        if (!TryTake(ref text, out var cpu) || !TryTake(ref text, out var ready) || !TryTake(ref text, out var slices))
            return false;
        schedule = new ThreadSchedule(cpu, ready, slices);
        return true;
    }

    private static bool TryTake(ref ReadOnlySpan<byte> text, out long number)
    {
        if (!Utf8Parser.TryParse(text, out number, out var digits))
            return false;
        text = text[Math.Min(digits + 1, text.Length)..];
        return true;
    }
}
