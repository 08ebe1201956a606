using System.Diagnostics.Tracing;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>Event kinds of a planned session in a runtime, by <see cref="EventOrigins"/>.</summary>
public static class SessionKinds
{
    /// <summary>Returns the kinds of events of a session.</summary>
    /// <param name="session">The planned session.</param>
    /// <param name="runtime">Version of the runtime, for example <c>.NET 10.0.12</c>; empty for the newest.</param>
    public static EventKinds Of(PlannedSession session, string runtime)
    {
        ArgumentNullException.ThrowIfNull(session);
        var all = session.Rundown ? EventKinds.MethodCode : EventKinds.None;
        var named = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        foreach (var provider in session.Providers)
        {
            // The runtime uses the first of two entries with the same name.
            if (named.Add(provider.Name) && Level(provider.Level) is { } level)
                all |= EventOrigins.Kinds(provider.Name, provider.KeywordMask, level, MajorVersion(runtime));
        }

        return all;
    }

    private static EventLevel? Level(string name) =>
        name.ToUpperInvariant() switch
        {
            "CRITICAL" => EventLevel.Critical,
            "ERROR" => EventLevel.Error,
            "WARNING" => EventLevel.Warning,
            "INFORMATIONAL" => EventLevel.Informational,
            "VERBOSE" or "LOGALWAYS" => EventLevel.Verbose,
            _ => null,
        };

    /// <summary>The first number in the text: 10 for <c>.NET 10.0.12</c>; <see cref="int.MaxValue"/> without a number.</summary>
    public static int MajorVersion(string runtime)
    {
        var start = runtime.AsSpan().IndexOfAnyInRange('0', '9');
        if (start < 0)
            return int.MaxValue;
        var digits = runtime.AsSpan(start);
        var end = digits.IndexOfAnyExceptInRange('0', '9');
        return int.TryParse(end < 0 ? digits : digits[..end], out var major) ? major : int.MaxValue;
    }
}
