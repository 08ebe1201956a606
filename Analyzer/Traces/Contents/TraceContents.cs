using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.TraceEventFeed;

namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>Content of a trace: its events by kind.</summary>
public sealed record TraceContents
{
    /// <summary>Files read; those in archives with their names there.</summary>
    public required IReadOnlyList<string> Files { get; init; }

    /// <summary>Name and version of the format.</summary>
    public required string Format { get; init; }

    /// <summary>Clock of the times.</summary>
    public required TraceClock Clock { get; init; }

    /// <summary>Start of the recording, UTC; null when the file lacks it.</summary>
    public DateTime? StartUtc { get; init; }

    /// <summary>Bytes on disk.</summary>
    public required long FileBytes { get; init; }

    /// <summary>Number of lost events; null when the file lacks it.</summary>
    public required long? LostEvents { get; init; }

    /// <summary>
    /// Position at which reading ended early; null when complete. For an .etl file, <see cref="Etl"/> has all damaged places.
    /// </summary>
    public TraceDamage? Damage { get; init; }

    /// <summary>Data of .etl files; null for others.</summary>
    public EtlContents? Etl { get; init; }

    /// <summary>Kinds of events, most bytes first.</summary>
    public required IReadOnlyList<EventCount> Kinds { get; init; }

    /// <summary>Interval of the CPU samples in ms, by the trace's own events; null when missing.</summary>
    public required double? SampleIntervalMs { get; init; }

    /// <summary>Number of requested events with damaged payloads.</summary>
    public long Undecodable { get; init; }

    /// <summary>Manifests of EventSources that were ignored, so that events of their providers may have no names.</summary>
    public IReadOnlyCollection<DamagedManifest> DamagedManifests { get; init; } = [];

    /// <summary>Descriptions of self-describing events, with their numbers.</summary>
    internal TraceLoggingSchemas Schemas { get; init; } = new();

    /// <summary>Buffers of an .etl trace with events that describe others.</summary>
    internal EtlBuffers DescriptionBuffers { get; init; } = new();

    /// <summary>Number of events.</summary>
    public long Events => Kinds.Sum(kind => kind.Count);

    /// <summary>Bytes of all payloads.</summary>
    public long PayloadBytes => Kinds.Sum(kind => kind.PayloadBytes);

    /// <summary>Bytes of all records, decompressed.</summary>
    public long RecordBytes => Kinds.Sum(kind => kind.RecordBytes);

    /// <summary>Time of the first event in ticks of the trace's clock; the session's start without events.</summary>
    public long FirstTime => Kinds.Count == 0 ? Clock.OriginTicks : Kinds.Min(kind => kind.FirstTime);

    /// <summary>Time of the last event in ticks of the trace's clock; the session's start without events.</summary>
    public long LastTime => Kinds.Count == 0 ? Clock.OriginTicks : Kinds.Max(kind => kind.LastTime);
}

/// <summary>Data of an .etl file on its session.</summary>
/// <param name="Header">Session and machine.</param>
/// <param name="Statistics">Buffers, losses and damages.</param>
public sealed record EtlContents(EtlTraceHeader Header, EtlStatistics Statistics);
