namespace EtwSerializerProfiler.Sessions.Etw.Conduct;

/// <summary>A session that runs and whose it is.</summary>
/// <param name="Session">The session.</param>
/// <param name="State">Whose it is.</param>
/// <param name="ProcessId">The recorder that started it, 0 when that is not known.</param>
/// <param name="Reason">How that is known, and what to do; a sentence.</param>
public sealed record EtwFoundSession(EtwRunningSession Session, EtwSessionState State, int ProcessId, string Reason);
