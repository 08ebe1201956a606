namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>Selects events of a trace; null or empty members do not restrict.</summary>
public sealed record EventQuery
{
    /// <summary>Provider: its GUID, or its name as <see cref="Naming.NamePattern"/> matches it.</summary>
    public string Provider { get; init; } = "";

    /// <summary>Ids (opcodes for classic events), or names of events as <see cref="Naming.NamePattern"/> matches them.</summary>
    public IReadOnlyList<string> Events { get; init; } = [];

    /// <summary>Process: its id, or its name as <see cref="Naming.NamePattern"/> matches it, with or without .exe.</summary>
    public string Process { get; init; } = "";

    /// <summary>Start of the range, since the trace's start.</summary>
    public TimeSpan? From { get; init; }

    /// <summary>End of the range, since the trace's start.</summary>
    public TimeSpan? To { get; init; }

    /// <summary>Maximum number of events.</summary>
    public long? Top { get; init; }
}
