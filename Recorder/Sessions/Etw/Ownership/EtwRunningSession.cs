namespace EtwSerializerProfiler.Sessions.Etw.Ownership;

/// <summary>A running session as a tool lists it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="FileName">File that it writes; empty when it writes none, or when the listing does not name one.</param>
/// <param name="EventsLost">Number of lost events; null when the listing does not show it.</param>
public sealed record EtwRunningSession(string Name, string FileName = "", long? EventsLost = null);
