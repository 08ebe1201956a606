using EtwSerializerProfiler.Traces.Contents;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Reports.Tests.Regions;

/// <summary>An event as WPA sees it: identity, process and thread, fields by name.</summary>
internal sealed record RegionEvent(
    string Provider,
    int Id,
    int Version,
    int Process,
    long Thread,
    double TimeMs,
    IReadOnlyDictionary<string, object?> Fields
)
{
    /// <summary>Events of an .etl, in order of time.</summary>
    /// <param name="path">The file.</param>
    /// <param name="provider">Only this provider's; * for any text.</param>
    public static List<RegionEvent> OfEtl(string path, string provider = "")
    {
        var events = new List<RegionEvent>();
        EventDecoder.Read(
            [path],
            new EventQuery { Provider = provider },
            item =>
                events.Add(
                    new RegionEvent(
                        item.Provider,
                        item.Id ?? -1,
                        item.Version,
                        item.ProcessId,
                        item.ThreadId,
                        item.TimeMs,
                        item.Fields.DistinctBy(field => field.Name).ToDictionary(field => field.Name, field => field.Value)
                    )
                )
        );
        return events;
    }

    /// <summary>Events of a .nettrace, as TraceEvent's own source decodes them, in order of time.</summary>
    public static List<RegionEvent> OfNetTrace(string path)
    {
        var events = new List<RegionEvent>();
        using var source = new EventPipeEventSource(path);
        source.Clr.All += Add;
        source.Dynamic.All += Add;
        source.Process();
        return [.. events.OrderBy(item => item.TimeMs)];

        void Add(Microsoft.Diagnostics.Tracing.TraceEvent data) =>
            events.Add(
                new RegionEvent(
                    data.ProviderName,
                    (int)data.ID,
                    data.Version,
                    data.ProcessID,
                    data.ThreadID,
                    data.TimeStampRelativeMSec,
                    Enumerable
                        .Range(0, data.PayloadNames.Length)
                        .DistinctBy(i => data.PayloadNames[i])
                        .ToDictionary(i => data.PayloadNames[i], data.PayloadValue)
                )
            );
    }
}
