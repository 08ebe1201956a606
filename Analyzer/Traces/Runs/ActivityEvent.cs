using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Runs;

/// <summary>
/// Begin or end of a System.Diagnostics.Activity, as <see cref="RequestProvider"/> writes it (DiagnosticSourceEventSource.cs of
/// dotnet/runtime): name of the source, name of the operation, properties.
/// </summary>
/// <param name="IsStart">Whether it begins.</param>
/// <param name="Source">Name of its source.</param>
/// <param name="Operation">Name of the operation.</param>
/// <param name="Id">Its id; empty when the filter left it out.</param>
/// <param name="DisplayName">Its name for people; empty when it is the operation's or was left out.</param>
internal sealed record ActivityEvent(bool IsStart, string Source, string Operation, string Id, string DisplayName)
{
    /// <summary>Its name for <c>--runs</c>.</summary>
    public string Title => $"{RunEvents.ActivityPrefix}{Source}/{Operation}";

    /// <summary>Reads an event; null for one of another kind.</summary>
    public static ActivityEvent? Read(DecodedEvent item)
    {
        if (
            item.Provider != RequestProvider.Name
            || EventPairs.EdgeOf(item.Event) is not var (_, isStart)
            || item.Fields is not [(_, string source), (_, string operation), ..]
        )
            return null;
        var (id, spanId, display) = ("", "", "");
        foreach (var (key, value) in Properties(item))
        {
            switch (key)
            {
                case "Id":
                    id = value;
                    break;
                case "SpanId":
                    spanId = value;
                    break;
                case "DisplayName" when value != operation:
                    display = value;
                    break;
            }
        }

        return new ActivityEvent(isStart, source, operation, id.Length > 0 ? id : spanId, display);
    }

    /// <summary>The properties: an array of structures with a Key and a Value.</summary>
    private static IEnumerable<(string Key, string Value)> Properties(DecodedEvent item)
    {
        if (item.Fields.Count < 3 || item.Fields[2].Value is not Array properties)
            yield break;
        foreach (var property in properties)
        {
            if (
                property is IDictionary<string, object> pair
                && pair.TryGetValue("Key", out var key)
                && pair.TryGetValue("Value", out var value)
            )
                yield return (key?.ToString() ?? "", value?.ToString() ?? "");
        }
    }
}
