using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Universal;
using EtwSerializerProfiler.Traces.TraceEventFeed;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>Counts and decodes the events of a .nettrace file. Our reader counts; TraceEvent's parsers name kinds and fields.</summary>
internal static class NetTraceContents
{
    /// <summary>Id of GCDynamicEvent. TraceEvent gives these events their own ids, by the names in their payloads.</summary>
    private const int DynamicGcEvent = 39;

    /// <summary>Counts the events of a file.</summary>
    /// <exception cref="TraceFormatException">It is not a .nettrace file.</exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static TraceContents Read(string path, bool byProcess)
    {
        var layout = NetTraceLayout.Scan(path);
        var counts = new Dictionary<(NetTraceEventType Type, int Process), EventCount>();
        var numbers = new Dictionary<NetTraceEventType, ushort>();
        var processes = new Dictionary<int, string>();
        using var reader = new NetTraceReader(layout);
        while (reader.TryRead(out var item))
        {
            if (item.Type.Universal == UniversalEventKind.Process && UniversalPayload.TryReadProcessName(item.Payload, out var name))
                processes[item.ProcessId] = name;
            else if (item.Type.IsProcessInfo)
                processes[item.ProcessId] = ProgramName.Of(ProcessPayload.ReadCommandLine(item.Payload));
            ref var count = ref CollectionsMarshal.GetValueRefOrAddDefault(
                counts,
                (item.Type, byProcess ? item.ProcessId : EventCountKey.AnyProcess),
                out _
            );
            count ??= new EventCount(KeyOf(item.Type, numbers, byProcess ? item.ProcessId : EventCountKey.AnyProcess), item.Time);
            count.Count++;
            count.PayloadBytes += item.Payload.Length;
            count.RecordBytes += item.Payload.Length + (item.Stack.Length * layout.Header.PointerBytes);
            count.LastTime = item.Time;
        }

        var types = counts.Keys.Select(key => key.Type).Distinct().ToList();
        var names = types.Zip(EventDescriptions.Of(types)).ToDictionary(pair => pair.First, pair => NameOf(pair.First, pair.Second));
        foreach (var ((type, process), count) in counts)
        {
            (count.ProviderName, count.EventName) = (type.ProviderName, names[type]);
            count.ProcessName = processes.GetValueOrDefault(process, "");
        }

        return new TraceContents
        {
            Files = [path],
            Format = FormattableString.Invariant($"NetTrace {layout.Header.Version}"),
            Clock = layout.Header.Clock,
            StartUtc = layout.Header.StartUtc,
            FileBytes = new FileInfo(path).Length,
            LostEvents = reader.LostEvents,
            Damage = reader.Damage,
            Kinds = TraceContentsReader.Ordered(counts.Values),
            SampleIntervalMs = layout.Header.SamplingNanoseconds / 1e6,
        };
    }

    /// <summary>Decodes the events of a query in time order.</summary>
    /// <returns>Content of the file, for its losses.</returns>
    /// <exception cref="NoEventMatchesException">The trace has no event of the provider, name or process.</exception>
    public static TraceContents Decode(string path, EventQuery query, Action<DecodedEvent> receive)
    {
        var byProcess = query.Process.Length > 0;
        var contents = Read(path, byProcess);
        var wanted = EventSelection.Of(contents, query);
        var kinds = contents
            .Kinds.Where(kind => wanted.Contains(kind.Key))
            .Select(kind =>
                (kind.Provider, kind.Key.Number, kind.Version, NameWhereNeeded(kind.Key.Number, kind.EventName), kind.Key.ProcessId)
            )
            .ToHashSet();
        var ids = contents.Kinds.Select(kind => (kind.Provider, (int)kind.Key.Number)).ToHashSet();
        var clock = contents.Clock;
        var (first, last) = (Time(query.From, long.MinValue), Time(query.To, long.MaxValue));
        var received = 0L;
        var layout = NetTraceLayout.Scan(path);
        using var labels = EventLabelLookup.Open(layout);
        var damage = TraceEventPass.Read(
            layout,
            (source, stop) =>
            {
                StandardParsers.AddTo(source);
                source.AllEvents += data =>
                {
                    var found = labels?.Find(data);
                    if (received >= query.Top || !IsWanted(data))
                        return;
                    receive(EventDecoder.Decode(data, clock, contents.Schemas) with { Labels = found });
                    if (++received >= query.Top)
                        stop();
                };
            }
        );
        return contents with { Damage = contents.Damage ?? damage };

        long Time(TimeSpan? since, long otherwise) =>
            since is { } span ? clock.OriginTicks + clock.FromNanoseconds(span.Ticks * TimeSpan.NanosecondsPerTick) : otherwise;

        bool IsWanted(TraceEvent data)
        {
#pragma warning disable CS0618 // "Discouraged": the only exact time
            var time = data.TimeStampQPC;
#pragma warning restore CS0618
            if (time < first || time > last)
                return false;
            var process = byProcess ? data.ProcessID : EventCountKey.AnyProcess;
            var id = ids.Contains((data.ProviderGuid, (int)data.ID)) ? (ushort)data.ID : (ushort)DynamicGcEvent;
            return kinds.Contains(
                (data.ProviderGuid, id, id == DynamicGcEvent ? 0 : data.Version, NameWhereNeeded(id, data.EventName), process)
            );
        }
    }

    /// <summary>TraceEvent's name; for unknown events, the file's own.</summary>
    private static string NameOf(NetTraceEventType type, EventDescription description) =>
        type.Name.Length > 0 && description.Name.StartsWith("EventID(", StringComparison.Ordinal) ? type.Name : description.Name;

    private static string NameWhereNeeded(int id, string name) => id == 0 ? name : "";

    /// <summary>Events without an id are distinguished by name, each of which gets a number.</summary>
    private static EventCountKey KeyOf(NetTraceEventType type, Dictionary<NetTraceEventType, ushort> numbers, int process)
    {
        if (!numbers.TryGetValue(type, out var number))
            numbers.Add(type, number = (ushort)(numbers.Count + 1));
        return new EventCountKey(
            type.Provider,
            false,
            (ushort)type.EventId,
            (byte)type.Version,
            type.EventId == 0 ? number : (ushort)0,
            process
        );
    }
}
