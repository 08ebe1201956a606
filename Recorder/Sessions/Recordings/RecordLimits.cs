namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>Time limits of a recording. The recorded program itself may run as long as it likes; everything the recorder waits for has an end.</summary>
public sealed record RecordLimits
{
    /// <summary>For one answer of a runtime on its diagnostic port (session start, resumption).</summary>
    public TimeSpan Answer { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>For the end of a session, rundown included.</summary>
    public TimeSpan Stop { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>For the last bytes of a session whose process has ended.</summary>
    public TimeSpan Drain { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>Time without any .NET runtime after which the user is told so.</summary>
    public TimeSpan NoRuntimeHint { get; init; } = TimeSpan.FromSeconds(10);
}
