using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.TraceEventFeed;

namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>What fills a trace.</summary>
public sealed record TraceContents
{
    /// <summary>Files read, those in archives by their names there.</summary>
    public required IReadOnlyList<string> Files { get; init; }

    /// <summary>Name and version of the format.</summary>
    public required string Format { get; init; }

    /// <summary>Clock of the times.</summary>
    public required TraceClock Clock { get; init; }

    /// <summary>When the recording began, UTC; null when the file does not say.</summary>
    public DateTime? StartUtc { get; init; }

    /// <summary>Bytes on disk.</summary>
    public required long FileBytes { get; init; }

    /// <summary>Events that were lost; null when the file does not say.</summary>
    public required long? LostEvents { get; init; }

    /// <summary>Where the reading ended early, or null. Of an .etl file <see cref="Etl"/> has all damaged places.</summary>
    public TraceDamage? Damage { get; init; }

    /// <summary>What only .etl files have; null for others.</summary>
    public EtlContents? Etl { get; init; }

    /// <summary>Kinds of events, the one with the most bytes first.</summary>
    public required IReadOnlyList<EventCount> Kinds { get; init; }

    /// <summary>Interval of the CPU samples in ms, by the trace's own events; null when it does not say.</summary>
    public required double? SampleIntervalMs { get; init; }

    /// <summary>Events asked for that could not be decoded: their payloads are damaged.</summary>
    public long Undecodable { get; init; }

    /// <summary>Manifests of EventSources that were not used: events of their providers may have no names.</summary>
    public IReadOnlyCollection<DamagedManifest> DamagedManifests { get; init; } = [];

    /// <summary>Events that describe themselves, as they were numbered.</summary>
    internal TraceLoggingSchemas Schemas { get; init; } = new();

    /// <summary>Events.</summary>
    public long Events => Kinds.Sum(kind => kind.Count);

    /// <summary>Bytes of all payloads.</summary>
    public long PayloadBytes => Kinds.Sum(kind => kind.PayloadBytes);

    /// <summary>Bytes of all records, decompressed.</summary>
    public long RecordBytes => Kinds.Sum(kind => kind.RecordBytes);

    /// <summary>Time of the first event in ticks of the trace's clock; the start of the session when there is none.</summary>
    public long FirstTime => Kinds.Count == 0 ? Clock.OriginTicks : Kinds.Min(kind => kind.FirstTime);

    /// <summary>Time of the last event in ticks of the trace's clock; the start of the session when there is none.</summary>
    public long LastTime => Kinds.Count == 0 ? Clock.OriginTicks : Kinds.Max(kind => kind.LastTime);
}

/// <summary>What an .etl file says of its session.</summary>
/// <param name="Header">Session and machine.</param>
/// <param name="Statistics">Buffers, losses and damages.</param>
public sealed record EtlContents(EtlTraceHeader Header, EtlStatistics Statistics);
