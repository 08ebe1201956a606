namespace EtwSerializerProfiler.Sessions.Etw.Ownership;

/// <summary>A running session and its owner.</summary>
/// <param name="Session">The session.</param>
/// <param name="State">Ownership of the session.</param>
/// <param name="ProcessId">The recorder that started it; 0 when unknown.</param>
/// <param name="Reason">How the owner is known, and what to do; a sentence.</param>
public sealed record EtwFoundSession(EtwRunningSession Session, EtwSessionState State, int ProcessId, string Reason);
