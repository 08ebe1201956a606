using System.Buffers.Text;

namespace EtwSerializerProfiler.Sessions.Clocks;

/// <summary>
/// Content of <c>/proc/PID/task/TID/schedstat</c> (Documentation/scheduler/sched-stats.rst): three numbers separated by spaces. Every user
/// may read it.
/// </summary>
/// <param name="Cpu">CPU time in ns; does not advance while the thread runs.</param>
/// <param name="Ready">Ready time in ns until the thread was last switched in.</param>
/// <param name="Slices">How often the thread was switched in.</param>
internal readonly record struct ThreadSchedule(long Cpu, long Ready, long Slices)
{
    /// <summary>Maximum length of the text with its line end.</summary>
    public const int MaxText = 96;

    /// <summary>Parses the text; false when it is invalid because the thread has ended.</summary>
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
