using System.Runtime.InteropServices;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.TraceEventFeed;

namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>
/// Counts the events of a trace by kind. For an .etl trace, one pass reads only headers. Names come from TraceEvent's parsers, which first
/// see the event descriptions (manifests, descriptions of merged traces), then one event of each kind: a description at the end of the
/// trace also names earlier events. For this only the buffers with such events are read again.
/// </summary>
public static class TraceContentsReader
{
    /// <summary>Reads a trace.</summary>
    /// <param name="paths">Its file; for an .etl trace, one or more files.</param>
    /// <param name="byProcess">Whether to count each process separately.</param>
    /// <exception cref="TraceFormatException">It is not a trace file.</exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static TraceContents Read(IReadOnlyList<string> paths, bool byProcess)
    {
        ArgumentNullException.ThrowIfNull(paths);
        if (TraceKinds.Of(paths) is { } kind)
            return kind == TraceKind.NetTrace ? NetTraceContents.Read(paths[0], byProcess) : PerfContents.Read(paths[0], byProcess);
        using var files = EtwTrace.OpenFiles(paths);
        return Read(files, byProcess);
    }

    internal static TraceContents Read(EtlFiles files, bool byProcess)
    {
        using var reader = EtwTrace.OpenReader(files);
        var schemas = new TraceLoggingSchemas();
        var kinds = new Dictionary<EventCountKey, EventCount>();
        var (described, shown) = (new EtlBuffers(), new EtlBuffers());
        var lastKey = default(EventCountKey);
        EventCount? lastKind = null;
        while (reader.TryRead(out var item))
        {
            var key = KeyOf(item, schemas, byProcess);
            if (lastKind is null || key != lastKey)
            {
                ref var kind = ref CollectionsMarshal.GetValueRefOrAddDefault(kinds, key, out _);
                if (kind is null)
                {
                    kind = new EventCount(key, item.Timestamp);
                    reader.AddBufferTo(shown);
                }

                lastKey = key;
                lastKind = kind;
            }

            if (Descriptions.Includes(item))
                reader.AddBufferTo(described);
            else if (EventNames.IsAlwaysShown(item))
                reader.AddBufferTo(shown);

            lastKind.Count++;
            lastKind.PayloadBytes += item.Payload.Length;
            lastKind.RecordBytes += item.RawBytes.Length;
            lastKind.LastTime = item.Timestamp;
        }

        var names = EventNames.Find(files, schemas, kinds, shown, described);
        return new TraceContents
        {
            Files = [.. reader.Files.Select(file => file.Path)],
            Format = "ETL",
            Clock = new TraceClock(reader.Header.StartTicks, reader.Header.TicksPerSecond),
            StartUtc = reader.Header.StartTimeUtc,
            FileBytes = reader.Statistics.FileBytes,
            LostEvents = reader.Statistics.EventsLost,
            Etl = new EtlContents(reader.Header, reader.Statistics),
            Kinds = Ordered(kinds.Values),
            SampleIntervalMs = names.SampleIntervalMs,
            DamagedManifests = names.DamagedManifests,
            Schemas = schemas,
            DescriptionBuffers = described,
        };
    }

    internal static EventCountKey KeyOf(in EtlEvent item, TraceLoggingSchemas schemas, bool byProcess)
    {
        var schema = item.ExtendedData.Length > 0 ? EventRecordBlock.Describe(item, schemas) ?? 0 : (ushort)0;
        var isClassic = item.IsClassic;
        return new EventCountKey(
            item.ProviderId,
            isClassic,
            isClassic ? item.Opcode : item.Id,
            item.Version,
            schema,
            byProcess ? item.ProcessId : EventCountKey.AnyProcess
        );
    }

    /// <summary>Kinds of events, most bytes first.</summary>
    internal static IReadOnlyList<EventCount> Ordered(IEnumerable<EventCount> kinds) =>
        [
            .. kinds
                .OrderByDescending(kind => kind.RecordBytes)
                .ThenBy(kind => kind.ProviderName, StringComparer.Ordinal)
                .ThenBy(kind => kind.EventName, StringComparer.Ordinal),
        ];
}
