namespace EtwSerializerProfiler.Sessions.Etw.Conduct;

/// <summary>A session that runs, as a tool lists it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="FileName">File that it writes; empty for none, and where the listing does not say.</param>
/// <param name="EventsLost">Events lost so far; null where the listing does not say.</param>
public sealed record EtwRunningSession(string Name, string FileName = "", long? EventsLost = null);
