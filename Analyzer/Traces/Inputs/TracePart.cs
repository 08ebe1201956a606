using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>The analyzed part of a trace, named with its paths: <c>trace.nettrace#from=2,to=5,runs=My-App/Request</c>.</summary>
/// <param name="Range">The time range; null for all.</param>
/// <param name="Events">The events that delimit its runs; null for the trace's own marks.</param>
public sealed record TracePart(TraceRange? Range, RunEvents? Events)
{
    private const string Key = "runs=";

    /// <summary>Separates the part from paths.</summary>
    /// <returns>The paths without the part, and the part.</returns>
    /// <exception cref="TraceFormatException">The part is invalid, or the paths have different parts.</exception>
    public static (IReadOnlyList<string> Paths, TracePart Part) Of(IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var split = paths.Select(Split).ToList();
        var named = split.Select(item => item.Events).OfType<string>().Distinct().ToList();
        if (named.Count > 1)
            throw new TraceFormatException(paths[0], null, "one pair of events that delimits runs", $"{named.Count} different ones are named", "name the same events with each file, or compare them with diff");
        var events = named.Count == 0 ? null : RunEvents.Parse(named[0]) ?? throw new TraceFormatException(paths[0], null, "events that delimit runs", $"found '{named[0]}'", RunEvents.Rule);
        var (bare, range) = TraceRange.Of([.. split.Select(item => item.Path)]);
        return (bare, new TracePart(range, events));
    }

    /// <summary>Appends the events that delimit runs to a path.</summary>
    /// <param name="path">The path, possibly with a part.</param>
    /// <param name="events">The events as the user named them.</param>
    public static string With(string path, string events)
    {
        ArgumentNullException.ThrowIfNull(path);
        return $"{path}{(Path.Exists(path) || !path.Contains('#', StringComparison.Ordinal) ? '#' : ',')}{Key}{events}";
    }

    /// <summary>Separates a path from its part, which begins with #; empty for all.</summary>
    public static (string Path, string Part) Divide(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        var bare = TraceRange.Of([Split(path).Path]).Paths[0];
        return (bare, path[bare.Length..]);
    }

    private static (string Path, string? Events) Split(string path)
    {
        var mark = path.IndexOf('#' + Key, StringComparison.Ordinal) is var first and > 0 ? first : path.IndexOf(',' + Key, StringComparison.Ordinal);
        return mark <= 0 || Path.Exists(path) ? (path, null) : (path[..mark], path[(mark + 1 + Key.Length)..]);
    }
}
