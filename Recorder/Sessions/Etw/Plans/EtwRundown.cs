namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>
/// The rundown at the end: each running runtime writes the names of its methods when the rundown provider is enabled. Processes that end
/// during the recording write theirs into the code session.
/// </summary>
/// <param name="Session">Session of the rundown; it writes to a file in every mode.</param>
/// <param name="Wait">How long to wait for the runtimes; no event signals when they are done.</param>
public sealed record EtwRundown(EtwUserSession Session, TimeSpan Wait);
