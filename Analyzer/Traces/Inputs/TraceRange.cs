using System.Globalization;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>
/// A time range of a trace, named with its path: <c>trace.nettrace#from=2,to=5.5</c>, in seconds since the start of the trace. Each process
/// is one run there, whatever its marks.
/// </summary>
/// <param name="From">Start; null for that of the trace.</param>
/// <param name="To">End; null for that of the trace.</param>
public sealed record TraceRange(TimeSpan? From, TimeSpan? To)
{
    private const string FromKey = "from=",
        ToKey = "to=";
    private const double MaxSeconds = 1e9; // fits a long in nanoseconds
    private const string Fix = "write PATH#from=2,to=5.5, in seconds since the start of the trace; one of the two may be omitted";

    /// <summary>Separates the range from paths.</summary>
    /// <returns>The paths without it, and the range; null without one.</returns>
    /// <exception cref="TraceFormatException">A range is invalid, or the paths have different ranges.</exception>
    public static (IReadOnlyList<string> Paths, TraceRange? Range) Of(IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var split = paths.Select(Split).ToList();
        var ranges = split.Select(item => item.Range).OfType<TraceRange>().Distinct().ToList();
        if (ranges.Count > 1)
            throw new TraceFormatException(
                paths[0],
                null,
                "one part of the trace",
                $"{ranges.Count} different ones are named",
                "name the same part with each file, or compare them with diff"
            );
        return ([.. split.Select(item => item.Path)], ranges.FirstOrDefault());
    }

    private static (string Path, TraceRange? Range) Split(string path)
    {
        var mark = path.LastIndexOf('#');
        if (mark <= 0 || File.Exists(path) || Directory.Exists(path))
            return (path, null);
        var parts = path[(mark + 1)..].Split(',');
        if (
            !Array.Exists(
                parts,
                part => part.StartsWith(FromKey, StringComparison.Ordinal) || part.StartsWith(ToKey, StringComparison.Ordinal)
            )
        )
            return (path, null);
        var (from, to) = ((TimeSpan?)null, (TimeSpan?)null);
        foreach (var part in parts)
        {
            if (part.StartsWith(FromKey, StringComparison.Ordinal))
                from = Seconds(path, part[FromKey.Length..]);
            else if (part.StartsWith(ToKey, StringComparison.Ordinal))
                to = Seconds(path, part[ToKey.Length..]);
            else
                throw new TraceFormatException(path, null, "a part of a trace", $"found '{part}'", Fix);
        }

        return from >= to
            ? throw new TraceFormatException(path, null, "a part of a trace", "it ends before it starts", Fix)
            : (path[..mark], new TraceRange(from, to));
    }

    private static TimeSpan Seconds(string path, string text) =>
        double.TryParse(
            text.EndsWith('s') ? text[..^1] : text,
            NumberStyles.AllowDecimalPoint,
            CultureInfo.InvariantCulture,
            out var seconds
        )
        && seconds <= MaxSeconds
            ? TimeSpan.FromSeconds(seconds)
            : throw new TraceFormatException(path, null, $"a number of seconds, at most {MaxSeconds:0}", $"found '{text}'", Fix);

    /// <summary>The part of a span, in ticks of a clock, inside the range.</summary>
    public (long Start, long Stop) Clip(in TraceClock clock, long start, long stop) =>
        (From is { } from ? Math.Max(start, TimeOf(clock, from)) : start, To is { } to ? Math.Min(stop, TimeOf(clock, to)) : stop);

    private static long TimeOf(in TraceClock clock, TimeSpan since) =>
        clock.OriginTicks + clock.FromNanoseconds(since.Ticks * TimeSpan.NanosecondsPerTick);
}
