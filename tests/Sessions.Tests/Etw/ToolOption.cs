namespace EtwSerializerProfiler.Sessions.Tests.Etw;

/// <summary>A documented option of a tool.</summary>
/// <param name="Name">Its name, dash included; tools take any case.</param>
/// <param name="Source">Where it is documented.</param>
/// <param name="Values">
/// Pattern of each value that follows. The last may be "N…", as many event ids as the number before it, or end with '+', one or more.
/// </param>
internal sealed record ToolOption(string Name, string Source, params string[] Values);
