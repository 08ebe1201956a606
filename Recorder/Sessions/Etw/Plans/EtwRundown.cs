namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>
/// The rundown at the end: running runtimes write their method names when the rundown provider is enabled. Processes that end during the
/// recording have written theirs into the code session.
/// </summary>
/// <param name="Session">Its session, which writes to a file in every mode.</param>
/// <param name="Wait">How long to wait for the runtimes; no event signals when they are done.</param>
public sealed record EtwRundown(EtwUserSession Session, TimeSpan Wait);
