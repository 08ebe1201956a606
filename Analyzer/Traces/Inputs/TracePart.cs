using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>
/// The analyzed part of a trace, named with its paths: <c>trace.nettrace#from=2,to=5,mine=Contoso+Shop,runs=My-App/Request</c>.
/// </summary>
/// <param name="Range">The time range; null for all.</param>
/// <param name="Events">The events that delimit its runs; null for the trace's own marks.</param>
public sealed record TracePart(TraceRange? Range, RunEvents? Events)
{
    private const string RunsKey = "runs=";
    private const string MineKey = "mine=";

    /// <summary>Separates the names of the user's code: a comma would begin the next part.</summary>
    private const char NameSeparator = '+';

    /// <summary>Assemblies and namespaces that the user calls own code; empty for those of the recording.</summary>
    public IReadOnlyList<NamePattern> MyCode { get; init; } = [];

    /// <summary>Separates the part from paths.</summary>
    /// <returns>The paths without the part, and the part.</returns>
    /// <exception cref="TraceFormatException">The part is invalid, or the paths have different parts.</exception>
    public static (IReadOnlyList<string> Paths, TracePart Part) Of(IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var split = paths
            .Select(path => Split(path, RunsKey))
            .Select(item => (Events: item.Value, Named: Split(item.Path, MineKey)))
            .ToList();
        var named = split.Select(item => item.Events).OfType<string>().Distinct().ToList();
        var mine = split.Select(item => item.Named.Value).OfType<string>().SelectMany(names => names.Split(NameSeparator)).Distinct();
        if (named.Count > 1)
            throw new TraceFormatException(
                paths[0],
                null,
                "one pair of events that delimits runs",
                $"{named.Count} different ones are named",
                "name the same events with each file, or compare them with diff"
            );
        var events =
            named.Count == 0
                ? null
                : RunEvents.Parse(named[0])
                    ?? throw new TraceFormatException(paths[0], null, "events that delimit runs", $"found '{named[0]}'", RunEvents.Rule);
        var (bare, range) = TraceRange.Of([.. split.Select(item => item.Named.Path)]);
        return (bare, new TracePart(range, events) { MyCode = NamePattern.List(string.Join(',', mine)) });
    }

    /// <summary>Appends the events that delimit runs to a path.</summary>
    /// <param name="path">The path, possibly with a part.</param>
    /// <param name="events">The events as the user named them.</param>
    public static string With(string path, string events)
    {
        ArgumentNullException.ThrowIfNull(path);
        return With(path, RunsKey, events);
    }

    /// <summary>Appends the names of the user's code to a path, before any events that delimit runs.</summary>
    /// <param name="path">The path, possibly with a range.</param>
    /// <param name="names">Assemblies and namespaces.</param>
    public static string WithMyCode(string path, IEnumerable<string> names)
    {
        ArgumentNullException.ThrowIfNull(path);
        return With(path, MineKey, string.Join(NameSeparator, names));
    }

    private static string With(string path, string key, string value) =>
        $"{path}{(Path.Exists(path) || !path.Contains('#', StringComparison.Ordinal) ? '#' : ',')}{key}{value}";

    /// <summary>Separates a path from its part, which begins with #; empty for all.</summary>
    public static (string Path, string Part) Divide(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        var bare = TraceRange.Of([Split(Split(path, RunsKey).Path, MineKey).Path]).Paths[0];
        return (bare, path[bare.Length..]);
    }

    private static (string Path, string? Value) Split(string path, string key)
    {
        var mark = path.IndexOf('#' + key, StringComparison.Ordinal) is var first and > 0
            ? first
            : path.IndexOf(',' + key, StringComparison.Ordinal);
        return mark <= 0 || Path.Exists(path) ? (path, null) : (path[..mark], path[(mark + 1 + key.Length)..]);
    }
}
