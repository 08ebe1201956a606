using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Traces.Runs;

/// <summary>Start/stop pairs of a trace: what <c>--runs</c> can name.</summary>
/// <param name="Title">Its name there.</param>
/// <param name="Starts">Events that begin it.</param>
/// <param name="Stops">Events that end it.</param>
public sealed record EventPair(string Title, long Starts, long Stops);

/// <summary>Finds start/stop pairs in the contents of traces.</summary>
public static class EventPairs
{
    /// <summary>Finds them.</summary>
    /// <param name="processes">Processes with the sources of their events.</param>
    /// <returns>Pairs that have both events, the most frequent first.</returns>
    /// <exception cref="IOException">A file cannot be read.</exception>
    public static IReadOnlyList<EventPair> Of(IReadOnlyList<TracedProcess> processes)
    {
        ArgumentNullException.ThrowIfNull(processes);
        return Of(EventRunReader.TracesOf(processes));
    }

    /// <summary>Finds those of traces, each of which is one or more files.</summary>
    internal static IReadOnlyList<EventPair> Of(IReadOnlyList<IReadOnlyList<string>> traces)
    {
        var contents = traces.Select(paths => (Paths: paths, Contents: TraceContentsReader.Read(paths, byProcess: false))).ToList();
        var edges = contents
            .SelectMany(trace => EventsOf(trace.Contents))
            .Concat(contents.SelectMany(trace => ActivitiesOf(trace.Paths, trace.Contents)));
        return
        [
            .. edges
                .GroupBy(edge => edge.Title)
                .Select(group => new EventPair(
                    group.Key,
                    group.Where(edge => edge.IsStart).Sum(edge => edge.Count),
                    group.Where(edge => !edge.IsStart).Sum(edge => edge.Count)
                ))
                .Where(pair => pair.Starts > 0 && pair.Stops > 0)
                .OrderByDescending(pair => pair.Starts)
                .ThenBy(pair => pair.Title, StringComparer.Ordinal),
        ];
    }

    /// <summary>
    /// The task of an event that begins or ends something, by its name: RequestStart, or Request/Start of a task and an opcode; null for
    /// another event.
    /// </summary>
    internal static (string Task, bool IsStart)? EdgeOf(string name)
    {
        const string Start = nameof(Start),
            Stop = nameof(Stop);
        var suffix =
            name.EndsWith(Start, StringComparison.Ordinal) ? Start
            : name.EndsWith(Stop, StringComparison.Ordinal) ? Stop
            : null;
        if (suffix is null)
            return null;

        // An event source that describes its events itself takes the opcode from the name: RequestStart/Start.
        var task = name[..^suffix.Length].TrimEnd('/');
        if (name.EndsWith('/' + suffix, StringComparison.Ordinal) && task.EndsWith(suffix, StringComparison.Ordinal))
            task = task[..^suffix.Length];
        return task.Length == 0 ? null : (task, suffix == Start);
    }

    /// <summary>
    /// Whether a name that the user wrote means an event: as TraceEvent names it, with or without the slash before the opcode.
    /// </summary>
    internal static bool IsNamed(string wanted, string name) =>
        string.Equals(Plain(wanted), Plain(name), StringComparison.OrdinalIgnoreCase);

    private static string Plain(string name) =>
        EdgeOf(name) is var (task, isStart) && name.Contains('/', StringComparison.Ordinal) ? task + (isStart ? "Start" : "Stop") : name;

    private static IEnumerable<(string Title, bool IsStart, long Count)> EventsOf(TraceContents contents)
    {
        foreach (var kind in contents.Kinds.Where(kind => !kind.IsClassic && kind.ProviderName != RequestProvider.Name))
        {
            if (EdgeOf(kind.EventName) is var (task, isStart))
                yield return ($"{kind.ProviderName}/{task}", isStart, kind.Count);
        }
    }

    private static List<(string Title, bool IsStart, long Count)> ActivitiesOf(IReadOnlyList<string> paths, TraceContents contents)
    {
        var found = new List<(string, bool, long)>();
        var kinds = contents.Kinds.Where(kind => kind.ProviderName == RequestProvider.Name && EdgeOf(kind.EventName) is not null).ToList();
        if (kinds.Count > 0)
        {
            EventDecoder.Read(
                paths,
                new EventQuery
                {
                    Provider = NamePattern.ExactPrefix + RequestProvider.Name,
                    Events = [.. kinds.Select(kind => NamePattern.ExactPrefix + kind.EventName).Distinct()],
                },
                item =>
                {
                    if (ActivityEvent.Read(item) is { } activity)
                        found.Add((activity.Title, activity.IsStart, 1));
                }
            );
        }

        return found;
    }
}
