namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>Time limits of a recording. The recorded program may run indefinitely; every wait of the recorder has a limit.</summary>
public sealed record RecordLimits
{
    /// <summary>For one answer of a runtime on its diagnostic port (session start, resumption).</summary>
    public TimeSpan Answer { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>For the end of a session, including the rundown.</summary>
    public TimeSpan Stop { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>For the last bytes of a session after its process has ended.</summary>
    public TimeSpan Drain { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>Time without a .NET runtime before the user gets a hint.</summary>
    public TimeSpan NoRuntimeHint { get; init; } = TimeSpan.FromSeconds(10);
}
