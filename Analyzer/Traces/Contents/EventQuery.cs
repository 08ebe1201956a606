namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>Which events of a trace are asked for; what is null or empty does not restrict.</summary>
public sealed record EventQuery
{
    /// <summary>Provider: its GUID, or its name as <see cref="Naming.NamePattern"/> matches it.</summary>
    public string Provider { get; init; } = "";

    /// <summary>Ids (of classic events: opcodes), or names of events as <see cref="Naming.NamePattern"/> matches them.</summary>
    public IReadOnlyList<string> Events { get; init; } = [];

    /// <summary>Process: its id, or its name as <see cref="Naming.NamePattern"/> matches it, with or without .exe.</summary>
    public string Process { get; init; } = "";

    /// <summary>From this time on, since the trace's start.</summary>
    public TimeSpan? From { get; init; }

    /// <summary>Up to this time, since the trace's start.</summary>
    public TimeSpan? To { get; init; }

    /// <summary>Only the first this many.</summary>
    public long? Top { get; init; }
}
