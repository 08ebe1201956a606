using System.Globalization;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>Resolves the event kinds of a query.</summary>
internal static class EventSelection
{
    /// <summary>The matching kinds.</summary>
    /// <exception cref="NoEventMatchesException">No kind matches.</exception>
    public static HashSet<EventCountKey> Of(TraceContents contents, EventQuery query)
    {
        IReadOnlyList<EventCount> kinds = contents.Kinds;
        kinds = Narrow(
            kinds,
            query.Process,
            "process",
            kind => IsProcess(kind, query.Process),
            kind => kind.ProcessName.Length > 0 ? kind.ProcessName : $"{kind.ProcessId}"
        );
        kinds = Narrow(kinds, query.Provider, "provider", kind => IsProvider(kind, query.Provider), kind => kind.ProviderName);
        if (query.Events.Count > 0)
            kinds = Narrow(
                kinds,
                string.Join(' ', query.Events),
                "event",
                kind => query.Events.Any(name => IsEvent(kind, name)),
                kind => kind.EventName
            );
        return [.. kinds.Select(kind => kind.Key)];
    }

    private static IReadOnlyList<EventCount> Narrow(
        IReadOnlyList<EventCount> kinds,
        string wanted,
        string what,
        Func<EventCount, bool> matches,
        Func<EventCount, string> name
    )
    {
        if (wanted.Length == 0)
            return kinds;
        var found = kinds.Where(matches).ToList();
        if (found.Count > 0)
            return found;
        var names = kinds.Select(name).Distinct().Order(StringComparer.OrdinalIgnoreCase);
        throw new NoEventMatchesException(
            $"no event has the {what} '{wanted}'",
            "the events of the trace",
            NameChoice.Advice(wanted, names)
        );
    }

    private static bool IsProvider(EventCount kind, string wanted) =>
        Guid.TryParse(wanted, out var guid) ? kind.Provider == guid : Matches(wanted, kind.ProviderName);

    private static bool IsEvent(EventCount kind, string wanted) =>
        int.TryParse(wanted, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? kind.Key.Number == number
            : Matches(wanted, kind.EventName);

    private static bool IsProcess(EventCount kind, string wanted)
    {
        if (int.TryParse(wanted, NumberStyles.None, CultureInfo.InvariantCulture, out var id))
            return kind.ProcessId == id;
        return Matches(wanted, kind.ProcessName) || Matches(wanted + ".exe", kind.ProcessName); // #MyApp matches MyApp.exe
    }

    private static bool Matches(string wanted, string name) => NamePattern.List(wanted).Any(pattern => pattern.Matches(name));
}

/// <summary>Thrown when no event matches a filter; lists the choices.</summary>
public sealed class NoEventMatchesException : Exception, IProblemSource
{
    /// <summary>Creates the error.</summary>
    /// <param name="what">What is wrong.</param>
    /// <param name="where">Location.</param>
    /// <param name="fix">How to fix it.</param>
    /// <param name="inner">The cause, if any.</param>
    public NoEventMatchesException(string what, string where, string fix, Exception? inner = null)
        : base($"{what}; {fix}", inner) => Problem = new Problem(what, where, fix);

    /// <inheritdoc />
    public Problem Problem { get; }
}
