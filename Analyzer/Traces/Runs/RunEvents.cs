namespace EtwSerializerProfiler.Traces.Runs;

/// <summary>
/// The events that delimit runs, as the user names them: <c>My-App/Request</c>, <c>My-App/Begin,End</c> or
/// <c>activity:Source/Operation</c>.
/// </summary>
public sealed record RunEvents
{
    /// <summary>Begins the name of activities.</summary>
    public const string ActivityPrefix = "activity:";

    /// <summary>How to write it.</summary>
    public const string Rule =
        "write PROVIDER/TASK for events TASKStart and TASKStop, PROVIDER/BEGIN,END for two events, or activity:SOURCE/OPERATION; --runs list shows the candidates in the trace";

    private RunEvents(string text) => Text = text;

    /// <summary>As written.</summary>
    public string Text { get; }

    /// <summary>Whether activities (System.Diagnostics.Activity) are meant.</summary>
    public bool IsActivity { get; private init; }

    /// <summary>Name of the provider; of activities the name of the source, empty for any.</summary>
    public string Provider { get; private init; } = "";

    /// <summary>Name of the task; of activities their operation; empty when two events are named.</summary>
    public string Task { get; private init; } = "";

    /// <summary>The two events when they are named; null otherwise.</summary>
    public (string Begin, string End)? Named { get; private init; }

    /// <summary>Reads a name.</summary>
    /// <returns>Null for a text that names no events.</returns>
    public static RunEvents? Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var isActivity = text.StartsWith(ActivityPrefix, StringComparison.OrdinalIgnoreCase);
        var rest = isActivity ? text[ActivityPrefix.Length..] : text;

        // An operation may hold slashes (GET /orders), a provider cannot.
        var slash = rest.IndexOf('/', StringComparison.Ordinal);
        var (provider, task) = slash < 0 ? ("", rest) : (rest[..slash], rest[(slash + 1)..]);
        if (task.Length == 0 || slash == 0 || (slash < 0 && !isActivity))
            return null;
        var events = new RunEvents(text)
        {
            IsActivity = isActivity,
            Provider = provider,
            Task = task,
        };
        if (isActivity || !task.Contains(',', StringComparison.Ordinal))
            return events;
        return task.Split(',', StringSplitOptions.TrimEntries) is [{ Length: > 0 } begin, { Length: > 0 } end]
            ? events with
            {
                Task = "",
                Named = (begin, end),
            }
            : null;
    }
}
