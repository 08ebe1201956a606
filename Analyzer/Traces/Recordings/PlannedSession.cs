namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>One tracing session as planned: data that can be printed, tested and compared with what was really started.</summary>
/// <param name="Name">Name of the session, also the stem of its file: <c>clr</c>, <c>code</c>, <c>alloc</c>.</param>
/// <param name="Providers">Providers, each at one level: naming a provider twice in a session silently keeps its first entry.</param>
/// <param name="Rundown">Whether names of all methods are written at the end of the session.</param>
/// <param name="BufferMegabytes">Size of the session's buffer in the recorded process.</param>
/// <param name="Purpose">What the session is for, one line.</param>
public sealed record PlannedSession(
    string Name,
    IReadOnlyList<PlannedProvider> Providers,
    bool Rundown,
    int BufferMegabytes,
    string Purpose);
