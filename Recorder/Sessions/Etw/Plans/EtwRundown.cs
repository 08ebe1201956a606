namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>
/// The rundown at the end: the runtimes that still run write the names of their methods when the rundown provider is enabled. Processes that end while the
/// sessions run have written theirs into the session for code.
/// </summary>
/// <param name="Session">Its session, which writes to a file in any mode.</param>
/// <param name="Wait">How long the runtimes are given; nothing tells when they are done.</param>
public sealed record EtwRundown(EtwUserSession Session, TimeSpan Wait);
